import type { DockerContainer, Preference } from '@pulse/contract'
import { containerName } from '@pulse/domain'
import { memo } from 'react'
import { bytesParts, formatNumber, formatPercent } from '../../lib/format.ts'
import { rem } from '../../lib/text-scale.ts'
import { AlertStripe } from '../../parts/alerts/alert-stripe.tsx'
import {
  Amount,
  Cell,
  cellClass,
  drawUsageCell,
  NumberCell,
  Usage,
  usedOfTotal,
} from '../../parts/cells/cells.tsx'
import { dockerTone, isPaused, isRunning, statusRank } from './container-status.ts'
import type { ListColumn } from '../../parts/table/column.ts'
import { cx } from '../../ui/cx.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { toneText } from '../../ui/tone-class.ts'
import { tip } from '../../ui/tooltip.tsx'
import { type ContainerLine, memoryPercentOf } from './container-line.ts'
import { ContainerName } from './container-name.tsx'

export type ContainerColumnId = Preference<'dockerSortKey'>

type ContainerColumn = ListColumn<DockerContainer, undefined, ContainerLine, ContainerColumnId>

/** px at the default text size; the minimum for five columns */
export const MIN_WIDTH = 760

export const containerColumns: readonly ContainerColumn[] = [
  {
    id: 'name',
    header: 'Container',
    firstDirection: 'asc',
    track: `minmax(${rem(200)}, 2fr)`,
    value: containerName,
    cell: (line) => (
      <Cell className={cx('flex items-center gap-1.5', line.indented ? 'pl-5' : 'pl-3')}>
        <AlertStripe level={line.alert} />
        <ContainerName line={line} />
      </Cell>
    ),
    phone: { slot: 'name', draw: (line) => <ContainerName line={line} /> },
  },
  {
    id: 'status',
    header: 'Status',
    firstDirection: 'asc',
    track: `minmax(${rem(150)}, 1fr)`,
    value: statusRank,
    cell: (line) => (
      <Cell className="flex items-center">
        <StatusWord line={line} />
      </Cell>
    ),
    phone: { slot: 'badge', draw: (line) => <StatusWord line={line} /> },
  },
  {
    id: 'cpu',
    header: 'CPU',
    firstDirection: 'desc',
    track: `minmax(${rem(100)}, 1fr)`,
    align: 'end',
    changesOften: true,
    value: (container) => (isRunning(container) ? container.cpuPercent : undefined),
    cell: (line) =>
      drawUsageCell({ percent: line.cpuPercent, scale: 'cpu', stale: line.stale, hint: cpuHint(line) }),
    phone: {
      slot: 'figure',
      label: 'CPU',
      draw: ({ cpuPercent, stale }) => <Usage percent={cpuPercent} scale="cpu" stale={stale} />,
    },
  },
  {
    id: 'memory',
    header: 'Memory',
    firstDirection: 'desc',
    track: `minmax(${rem(160)}, 1.4fr)`,
    align: 'end',
    changesOften: true,
    value: (container) =>
      isRunning(container) || isPaused(container) ? memoryPercentOf(container) : undefined,
    cell: (line) => (
      <MemoryCell
        percent={line.memoryPercent}
        bytes={line.memoryBytes}
        stale={line.stale}
        hint={memoryHint(line)}
      />
    ),
    phone: {
      slot: 'figure',
      label: 'Mem',
      draw: ({ memoryPercent, stale }) => <Usage percent={memoryPercent} scale="memory" stale={stale} />,
    },
  },
  {
    id: 'restarts',
    header: 'Restarts',
    firstDirection: 'asc',
    track: rem(96),
    align: 'end',
    value: ({ restartCount }) => restartCount,
    cell: ({ container: { restartCount } }) => (
      <NumberCell className={cx(restartCount === 0 && 'text-ink-3')}>{formatNumber(restartCount)}</NumberCell>
    ),
    phone: {
      slot: 'figure',
      label: 'Restarts',
      draw: ({ container: { restartCount } }) => (
        <span className="ml-auto tabular-nums">{formatNumber(restartCount)}</span>
      ),
    },
  },
]

/** Container engines report CPU in cores: 250 % is 2.5 cores. */
const cpuHint = ({ cpuPercent, container }: ContainerLine) =>
  cpuPercent === undefined ? container.unreadable : `${formatPercent(container.cpuPercent)} of one core`

const memoryHint = ({ memoryBytes, container }: ContainerLine) =>
  memoryBytes === undefined ? container.unreadable : usedOfTotal(memoryBytes, container.memoryLimitBytes)

/** State and health in words; grey when stale. */
function StatusWord({ line: { status, stale, container } }: { line: ContainerLine }) {
  const { word, tone, health, worst } = status
  const healthTone = health === undefined ? 'green' : dockerTone(health)
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 text-table" {...tip(container.status)}>
      <StatusDot
        tone={stale ? 'neutral' : worst}
        label={stale ? 'Last known:' : ''}
        ring={stale || worst !== 'green'}
      />
      <span className={cx('truncate', !stale && tone !== 'green' && toneText[tone])}>{word}</span>
      {health !== undefined && (
        <span
          className={cx(
            'truncate text-xs',
            stale || healthTone === 'green' ? 'text-ink-3' : `font-medium ${toneText[healthTone]}`,
          )}
        >
          {health}
        </span>
      )}
    </span>
  )
}

interface MemoryCellProps {
  percent: number | undefined
  bytes: number | undefined
  stale: boolean
  hint: string | undefined
}

/** Share of the limit, and bytes: limits differ too much for the share alone. */
const MemoryCell = memo(function MemoryCell({ percent, bytes, stale, hint }: MemoryCellProps) {
  return (
    <div role="gridcell" className={cellClass('flex items-center justify-end gap-1.5')} {...tip(hint)}>
      <Usage percent={percent} scale="memory" stale={stale} />
      {bytes !== undefined && (
        <Amount
          {...bytesParts(bytes)}
          className={cx(
            'w-[4.6rem] shrink-0 text-right whitespace-nowrap tabular-nums',
            stale ? 'text-ink-3' : 'text-ink-2',
          )}
        />
      )}
    </div>
  )
})
