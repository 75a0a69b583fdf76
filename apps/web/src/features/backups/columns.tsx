import type { Preference } from '@pulse/contract'
import { rem } from '../../lib/text-scale.ts'
import { BackupTime } from '../../parts/cells/moment.tsx'
import { Cell, NumberCell } from '../../parts/cells/cells.tsx'
import { apart } from '../../parts/grid/columns.ts'
import type { ListColumn } from '../../parts/table/column.ts'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import type { SortValue } from '../../ui/table/sort.ts'
import { tip } from '../../ui/tooltip.tsx'
import type { BackupRow } from '../../parts/backups/backup-row.ts'
import { Name, OldMark, Size, Source, TIP_WIDTH, Verified } from '../../parts/backups/cells.tsx'
import type { StaleLocation } from '../../parts/backups/stale-locations.ts'
import {
  detailsText,
  fullDetails,
  locationText,
  ownerText,
  sourceWords,
  statusWords,
} from '../../parts/backups/texts.ts'

export type SortColumnId = Preference<'backupsSortKey'>
export type BackupColumnId = SortColumnId | 'details'

export interface ShownBackup {
  backup: BackupRow
  /** below the head of its guest or day */
  relativeTime: boolean
  /** set if its location is currently unreadable */
  old: StaleLocation | undefined
  tabIndex: 0 | -1
}

type BackupColumn = ListColumn<BackupRow, undefined, ShownBackup, BackupColumnId>

const location = (backup: BackupRow) => locationText(backup) ?? '—'
/** Stale rows are grey. */
const colours = (old: StaleLocation | undefined) => cx(old && 'grayscale')

const columns: readonly BackupColumn[] = [
  {
    id: 'type',
    header: 'Type',
    firstDirection: 'asc',
    track: rem(64),
    value: ({ type }) => type,
    cell: ({ backup }) => (
      <Cell className="pl-3">
        <Badge>{backup.type}</Badge>
      </Cell>
    ),
    phone: { slot: 'badge', draw: ({ backup }) => <Badge>{backup.type}</Badge> },
  },
  {
    id: 'vmid',
    header: 'Guest',
    firstDirection: 'asc',
    track: `minmax(${rem(80)}, 0.4fr)`,
    align: 'end',
    value: ({ vmid }) => vmid,
    cell: ({ backup }) => <NumberCell className={cx('truncate', apart)}>{backup.vmid}</NumberCell>,
    phone: { slot: 'fact', draw: ({ backup }) => backup.vmid },
  },
  {
    id: 'name',
    header: 'Name',
    firstDirection: 'asc',
    track: `minmax(${rem(130)}, 1.2fr)`,
    value: ({ name }) => name,
    cell: ({ backup, tabIndex }) => (
      <Cell className="flex items-center gap-1.5">
        <Name backup={backup} tabIndex={tabIndex} />
      </Cell>
    ),
    phone: {
      slot: 'name',
      draw: ({ backup, tabIndex }) => <Name backup={backup} tabIndex={tabIndex} phone />,
    },
  },
  {
    id: 'node',
    header: 'Node',
    firstDirection: 'asc',
    track: `minmax(${rem(84)}, 0.7fr)`,
    value: ({ node }) => node,
    cell: ({ backup }) => <Cell className="truncate text-ink-2">{backup.node}</Cell>,
  },
  {
    id: 'backupTime',
    header: 'Time',
    firstDirection: 'desc',
    track: rem(180),
    align: 'end',
    value: ({ backupTime }) => backupTime,
    cell: ({ backup, relativeTime, old }) => (
      <NumberCell className={cx(apart, colours(old))}>
        <BackupTime at={backup.backupTime * 1000} relative={relativeTime} />
      </NumberCell>
    ),
    phone: {
      slot: 'fact',
      draw: ({ backup, relativeTime, old }) => (
        <span className={colours(old)}>
          <BackupTime at={backup.backupTime * 1000} relative={relativeTime} />
        </span>
      ),
    },
  },
  {
    id: 'backupType',
    header: 'Backup',
    firstDirection: 'asc',
    track: rem(124),
    value: ({ backupType }) => sourceWords[backupType],
    cell: ({ backup }) => (
      <Cell className="flex items-center gap-1.5">
        <Source backup={backup} />
      </Cell>
    ),
    // copies of a backup differ only in their location
    phone: {
      slot: 'figure',
      label: '',
      draw: ({ backup }) => (
        <>
          <Source backup={backup} />
          {backup.backupType !== 'snapshot' && (
            <span className="min-w-0 truncate text-ink-3" {...tip(backup.node)}>
              {backup.node}
            </span>
          )}
        </>
      ),
    },
  },
  {
    id: 'details',
    header: 'Details',
    firstDirection: 'asc',
    unsorted: true,
    track: `minmax(${rem(150)}, 1.4fr)`,
    value: () => undefined,
    cell: ({ backup }) => (
      <Cell className="truncate text-ink-2">
        <span {...tip(fullDetails(backup), TIP_WIDTH)}>{detailsText(backup)}</span>
      </Cell>
    ),
  },
  {
    id: 'owner',
    header: 'Owner',
    firstDirection: 'asc',
    track: `minmax(${rem(70)}, 0.6fr)`,
    value: ({ owner }) => owner,
    cell: ({ backup: { owner } }) => (
      <Cell className="truncate text-ink-2">
        {owner ? <span {...tip(owner, TIP_WIDTH)}>{ownerText(owner)}</span> : '—'}
      </Cell>
    ),
  },
  {
    id: 'size',
    header: 'Size',
    firstDirection: 'desc',
    track: rem(92),
    align: 'end',
    value: ({ size }) => size,
    cell: ({ backup, old }) => (
      <NumberCell className={cx(apart, colours(old))}>
        <Size backup={backup} />
      </NumberCell>
    ),
    phone: {
      slot: 'figure',
      label: 'Size',
      draw: ({ backup, old }) => (
        <span className={colours(old)}>
          <Size backup={backup} />
        </span>
      ),
    },
  },
  {
    id: 'storage',
    header: 'Location',
    firstDirection: 'asc',
    track: `minmax(${rem(110)}, 0.9fr)`,
    value: locationText,
    cell: ({ backup, old }) => (
      <Cell className="flex items-center gap-1.5">
        <span className="truncate" {...tip(locationText(backup), TIP_WIDTH)}>
          {location(backup)}
        </span>
        {old && <OldMark old={old} />}
      </Cell>
    ),
    phone: { slot: 'badge', draw: ({ old }) => old && <OldMark old={old} /> },
  },
  {
    id: 'verified',
    header: 'Verified',
    firstDirection: 'asc',
    track: rem(108),
    value: ({ status }) => statusWords[status],
    cell: ({ backup, old }) => (
      <Cell className={cx('flex items-center', colours(old))}>
        <Verified backup={backup} />
      </Cell>
    ),
    phone: {
      slot: 'figure',
      label: '',
      draw: ({ backup, old }) => (
        <span className={colours(old)}>
          <Verified backup={backup} />
        </span>
      ),
    },
  },
]

const withoutOwner = columns.filter(({ id }) => id !== 'owner')

/** The owner column appears only if some backup has an owner. */
export const backupColumns = (hasOwners: boolean) => (hasOwners ? columns : withoutOwner)

type SortColumn = BackupColumn & { id: SortColumnId }
/** Sortable columns, shown or hidden. */
export const sortColumns = columns.filter((column): column is SortColumn => column.id !== 'details')

const values = new Map(columns.map(({ id, value }) => [id, value]))
export const sortValue = (key: BackupColumnId, backup: BackupRow): SortValue =>
  values.get(key)!(backup, undefined)
