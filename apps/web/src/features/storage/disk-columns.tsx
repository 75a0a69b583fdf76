import type { PhysicalDisk } from '@pulse/contract'
import { bytesParts, MISSING } from '../../lib/format.ts'
import { rem } from '../../lib/text-scale.ts'
import type { AlertLevel } from '../../parts/alerts/alert-levels.ts'
import { AlertMark, AlertStripe } from '../../parts/alerts/alert-stripe.tsx'
import { Amount, Cell, drawUsageCell, NumberCell, Usage } from '../../parts/cells/cells.tsx'
import { NameLine } from '../../parts/cells/name-line.tsx'
import { StaleBadge } from '../../parts/cells/outage.tsx'
import { RowOpener } from '../../parts/cells/row-opener.tsx'
import { createExpansion } from '../../parts/list/expansion.ts'
import type { ListColumn } from '../../parts/table/column.ts'
import { cx } from '../../ui/cx.ts'
import { tip } from '../../ui/tooltip.tsx'
import { DiskHealthBadge, DiskTemperature } from '../../parts/storage/disk-cells.tsx'
import { diskHealth } from '../../parts/alerts/disk-health.ts'
import { healthRank, lifeOf, temperatureOf } from '../../parts/storage/disk-health.ts'

export type DiskColumnId =
  'node' | 'device' | 'model' | 'type' | 'fs' | 'health' | 'life' | 'temperature' | 'size'

/** A disk, with the state of its row. */
export interface DiskLine {
  id: string
  disk: PhysicalDisk
  stale: boolean
  alert: AlertLevel | undefined
  expanded: boolean
  tabIndex: 0 | -1
}

/** Disks with expanded details. */
export const expandedDisks = createExpansion()

export type DiskColumn = ListColumn<PhysicalDisk, undefined, DiskLine, DiskColumnId>

export const diskColumns: readonly DiskColumn[] = [
  {
    id: 'node',
    header: 'Node',
    firstDirection: 'asc',
    track: `minmax(${rem(98)}, 0.8fr)`,
    value: (disk) => disk.node,
    cell: (line) => (
      <Cell className="flex items-center gap-1.5 pl-3">
        <AlertStripe level={line.alert} />
        <Opener line={line} />
        <span className="truncate" {...tip(line.disk.node)}>
          {line.disk.node}
        </span>
      </Cell>
    ),
    phone: { slot: 'fact', draw: ({ disk }) => disk.node },
  },
  {
    id: 'device',
    header: 'Device',
    firstDirection: 'asc',
    track: `minmax(${rem(126)}, 0.9fr)`,
    value: (disk) => disk.devPath,
    cell: (line) => (
      <Cell className="flex items-center">
        <Device line={line} />
      </Cell>
    ),
    phone: {
      slot: 'name',
      draw: (line) => (
        <>
          <Opener line={line} />
          <Device line={line} />
        </>
      ),
    },
  },
  {
    id: 'model',
    header: 'Model',
    firstDirection: 'asc',
    track: `minmax(${rem(76)}, 1.8fr)`,
    value: (disk) => disk.model,
    cell: ({ disk, stale }) => (
      <Cell className={cx('truncate', !stale && 'text-ink-2')}>
        <span {...tip([disk.model, disk.serial && `Serial ${disk.serial}`].filter(Boolean).join('\n'))}>
          {disk.model || MISSING}
        </span>
      </Cell>
    ),
  },
  {
    id: 'type',
    header: 'Type',
    firstDirection: 'asc',
    track: rem(58),
    value: (disk) => disk.type,
    cell: ({ disk }) => <Cell className="truncate">{typeText(disk)}</Cell>,
    phone: { slot: 'fact', draw: ({ disk }) => typeText(disk) },
  },
  {
    id: 'fs',
    header: 'FS',
    firstDirection: 'asc',
    track: `minmax(${rem(82)}, 0.5fr)`,
    value: (disk) => disk.used,
    cell: ({ disk, stale }) => (
      <Cell className={cx('truncate', !stale && 'text-ink-2')}>{disk.used || MISSING}</Cell>
    ),
  },
  {
    id: 'health',
    header: 'Health',
    firstDirection: 'asc',
    track: rem(88),
    value: (disk) => healthRank[diskHealth(disk)],
    cell: (line) => (
      <Cell>
        <DiskHealthBadge {...line} />
      </Cell>
    ),
    phone: { slot: 'badge', draw: (line) => <DiskHealthBadge {...line} /> },
  },
  {
    id: 'life',
    header: 'SSD Life',
    firstDirection: 'asc',
    track: `minmax(${rem(100)}, 0.8fr)`,
    align: 'end',
    value: lifeOf,
    cell: ({ disk, stale }) => drawUsageCell({ percent: lifeOf(disk), scale: 'ssdLife', stale }),
    phone: {
      slot: 'figure',
      label: 'Life',
      draw: ({ disk, stale }) => <Usage percent={lifeOf(disk)} scale="ssdLife" stale={stale} />,
    },
  },
  {
    id: 'temperature',
    header: 'Temp',
    firstDirection: 'asc',
    track: rem(62),
    align: 'end',
    value: temperatureOf,
    cell: (line) => (
      <NumberCell>
        <DiskTemperature {...line} />
      </NumberCell>
    ),
    phone: {
      slot: 'figure',
      label: 'Temp',
      draw: (line) => (
        <span className="ml-auto">
          <DiskTemperature {...line} />
        </span>
      ),
    },
  },
  {
    id: 'size',
    header: 'Size',
    firstDirection: 'asc',
    track: rem(70),
    align: 'end',
    value: (disk) => disk.size,
    cell: ({ disk }) => (
      <NumberCell>
        <Amount {...bytesParts(disk.size)} />
      </NumberCell>
    ),
    phone: {
      slot: 'figure',
      label: 'Size',
      draw: ({ disk }) => (
        <Amount {...bytesParts(disk.size)} className="ml-auto whitespace-nowrap tabular-nums" />
      ),
    },
  },
]

const typeText = ({ type }: PhysicalDisk) => (type === 'other' ? 'Other' : type.toUpperCase())

interface LineProps {
  line: DiskLine
}

const Opener = ({ line: { id, disk, expanded, tabIndex } }: LineProps) => (
  <RowOpener
    name={`${disk.devPath} of ${disk.node}`}
    {...{ expanded, tabIndex }}
    onToggle={() => expandedDisks.toggle(id)}
  />
)

function Device({ line: { disk, alert } }: LineProps) {
  return (
    <NameLine>
      <span className="min-w-8 truncate font-medium" {...tip(disk.devPath)}>
        {disk.devPath}
      </span>
      <AlertMark level={alert} />
      {disk.staleSince !== undefined && <StaleBadge since={disk.staleSince} />}
    </NameLine>
  )
}
