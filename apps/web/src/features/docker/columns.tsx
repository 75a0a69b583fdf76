import type { DockerContainer, Preference } from '@pulse/contract'
import { containerName } from '@pulse/domain'
import { formatNumber, formatPercent } from '../../lib/format.ts'
import { rem } from '../../lib/text-scale.ts'
import { AlertStripe } from '../../parts/alerts/alert-stripe.tsx'
import { Cell, drawUsageCell, NumberCell, Usage, usedOfTotal } from '../../parts/cells/cells.tsx'
import type { ListColumn } from '../../parts/table/column.ts'
import { cx } from '../../ui/cx.ts'
import { type ContainerLine, memoryPercentOf } from './container-line.ts'
import { ContainerName } from './container-name.tsx'
import { isPaused, isRunning, statusRank } from './container-status.ts'
import { MemoryCell } from './memory-cell.tsx'
import { StatusWord } from './status-word.tsx'

export type ContainerColumnId = Preference<'dockerSortKey'>

type ContainerColumn = ListColumn<DockerContainer, undefined, ContainerLine, ContainerColumnId>

/** px of usual letters; as narrow as five columns can be */
export const MIN_WIDTH = 760

export const containerColumns: readonly ContainerColumn[] = [
  {
    id: 'name',
    header: 'Container',
    first: 'asc',
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
    first: 'asc',
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
    first: 'desc',
    track: `minmax(${rem(100)}, 1fr)`,
    align: 'end',
    moves: true,
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
    first: 'desc',
    track: `minmax(${rem(160)}, 1.4fr)`,
    align: 'end',
    moves: true,
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
    first: 'asc',
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

/** The engines count in cores: 250 % are two and a half. */
const cpuHint = ({ cpuPercent, container }: ContainerLine) =>
  cpuPercent === undefined ? container.unreadable : `${formatPercent(container.cpuPercent)} of one core`

const memoryHint = ({ memoryBytes, container }: ContainerLine) =>
  memoryBytes === undefined ? container.unreadable : usedOfTotal(memoryBytes, container.memoryLimitBytes)
