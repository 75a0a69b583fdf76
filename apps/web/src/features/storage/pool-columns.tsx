import { type Preference, preferences, type Storage } from '@pulse/contract'
import { bytesParts, MISSING } from '../../lib/format.ts'
import { AlertStripe } from '../../parts/alerts/alert-stripe.tsx'
import { Amount, Cell, drawUsageCell, NumberCell, Usage, usedOfTotal } from '../../parts/cells/cells.tsx'
import { type GridColumn, narrowed, spanClass } from '../../parts/grid/columns.ts'
import { FullInCell, FullInFact } from '../../parts/forecast/full-in.tsx'
import type { Column, ListColumn } from '../../parts/table/column.ts'
import { cx } from '../../ui/cx.ts'
import { tip } from '../../ui/tooltip.tsx'
import type { PoolGrouping } from './filter.ts'
import type { PoolLine } from './pool-line.ts'
import { PoolName } from './pool-name.tsx'
import { narrowPoolTracks, poolTracks } from './pool-tracks.ts'
import { StorageStatus } from '../../parts/storage/storage-status.tsx'

export type PoolSortKey = Preference<'storageSortKey'>
export type PoolColumnId = PoolSortKey | 'content' | 'shared'

type Sorting = Pick<ListColumn<Storage, undefined, PoolLine>, 'value' | 'changesOften'>

export interface PoolColumn extends GridColumn<PoolColumnId>, Column<PoolLine>, Partial<Sorting> {
  align?: 'end'
}

/** Sort orders of the pools, with or without a column. */
export interface PoolOrder extends Sorting {
  id: PoolSortKey
  header: string
  firstDirection: 'asc'
}

const name = {
  id: 'name',
  header: 'Storage',
  firstDirection: 'asc',
  track: poolTracks.name,
  narrow: narrowPoolTracks.name,
  value: (pool) => pool.name,
  cell: (line) => (
    <Cell className={cx('flex items-center gap-1.5', line.indented ? 'pl-5' : 'pl-3')}>
      <AlertStripe level={line.alert} />
      <PoolName line={line} />
    </Cell>
  ),
  phone: { slot: 'name', draw: (line) => <PoolName line={line} /> },
} satisfies PoolColumn

const type = {
  id: 'type',
  header: 'Type',
  firstDirection: 'asc',
  track: poolTracks.type,
  narrow: narrowPoolTracks.type,
  value: (pool) => pool.type,
  cell: ({ pool }) => <Cell className="truncate">{pool.type}</Cell>,
  phone: { slot: 'fact', draw: ({ pool }) => pool.type },
} satisfies PoolColumn

const contentText = ({ content }: Storage) => content.split(',').join(', ') || MISSING

const content = {
  id: 'content',
  header: 'Content',
  firstDirection: 'asc',
  unsorted: true,
  ...poolTracks.content,
  narrow: narrowPoolTracks.content,
  cell: ({ pool, dimmed }) => (
    <Cell className={cx('truncate', spanClass(poolTracks.content), !dimmed && 'text-ink-2')}>
      <span {...tip(contentText(pool))}>{contentText(pool)}</span>
    </Cell>
  ),
} satisfies PoolColumn

const status = {
  id: 'status',
  header: 'Status',
  firstDirection: 'asc',
  track: poolTracks.status,
  narrow: narrowPoolTracks.status,
  value: (pool) => pool.status,
  cell: (line) => (
    <Cell className="flex items-center gap-1.5">
      <StorageStatus {...line} />
    </Cell>
  ),
  phone: { slot: 'badge', draw: (line) => <StorageStatus {...line} /> },
} satisfies PoolColumn

const usage = {
  id: 'usage',
  header: 'Usage',
  firstDirection: 'asc',
  track: poolTracks.usage,
  narrow: narrowPoolTracks.usage,
  align: 'end',
  changesOften: true,
  value: (pool) => pool.usage,
  cell: ({ pool, stale }) =>
    drawUsageCell({
      percent: pool.usage,
      scale: 'disk',
      stale,
      hint: usedOfTotal(pool.used, pool.total),
    }),
  phone: {
    slot: 'figure',
    label: 'Used',
    draw: ({ pool, stale }) => <Usage percent={pool.usage} scale="disk" stale={stale} />,
  },
} satisfies PoolColumn

const sizeColumn = <Id extends 'free' | 'total'>(
  id: Id,
  header: string,
  tracks: Pick<PoolColumn, 'track' | 'narrow' | 'span'>,
) =>
  ({
    id,
    header,
    firstDirection: 'asc',
    ...tracks,
    align: 'end',
    changesOften: id === 'free',
    value: (pool) => pool[id],
    cell: ({ pool }) => (
      <NumberCell className={spanClass(tracks)}>
        <Amount {...bytesParts(pool[id])} />
      </NumberCell>
    ),
    phone: {
      slot: 'figure',
      label: header,
      draw: ({ pool }) => (
        <Amount {...bytesParts(pool[id])} className="ml-auto whitespace-nowrap tabular-nums" />
      ),
    },
  }) satisfies PoolColumn

const size = { track: poolTracks.rate, narrow: narrowPoolTracks.size }
const free = sizeColumn('free', 'Free', size)
const total = sizeColumn('total', 'Total', size)

const fullInColumn = (tracks: Pick<PoolColumn, 'track' | 'narrow' | 'span'>) =>
  ({
    id: 'fullIn',
    header: 'Full in',
    firstDirection: 'asc',
    ...tracks,
    align: 'end',
    value: (pool) => pool.forecast?.fullAt,
    cell: ({ pool, stale, fullSoon }) => (
      <FullInCell forecast={pool.forecast} alerting={fullSoon && !stale} className={spanClass(tracks)} />
    ),
    phone: {
      slot: 'fact',
      draw: ({ pool, stale, fullSoon, fullNear }) =>
        (fullSoon || fullNear) && <FullInFact forecast={pool.forecast} alerting={fullSoon && !stale} />,
    },
  }) satisfies PoolColumn

const fullIn = fullInColumn({ track: poolTracks.rate, narrow: narrowPoolTracks.fullIn })

const shared = {
  id: 'shared',
  header: 'Shared',
  firstDirection: 'asc',
  unsorted: true,
  track: poolTracks.rate,
  narrow: narrowPoolTracks.shared,
  align: 'end',
  cell: ({ pool }) => (
    <NumberCell>
      <span className={cx(!pool.shared && 'text-ink-3')} {...tip(pool.nodes?.join('\n'))}>
        {sharedText(pool)}
      </span>
    </NumberCell>
  ),
} satisfies PoolColumn

const sharedText = ({ shared: isShared, nodes = [] }: Storage): string => {
  if (!isShared) return 'No'
  return nodes.length > 1 ? `${nodes.length} nodes` : 'Yes'
}

/** The Shared column appears only when grouped by node; otherwise each row lists its nodes. */
const columns: Record<PoolGrouping, readonly PoolColumn[]> = {
  node: [name, type, content, status, usage, free, total, fullIn, shared],
  storage: [
    name,
    type,
    content,
    status,
    usage,
    free,
    total,
    fullInColumn({ ...poolTracks.two, narrow: narrowPoolTracks.two }),
  ],
}

const narrowColumns: Record<PoolGrouping, readonly PoolColumn[]> = {
  node: narrowed(columns.node),
  storage: narrowed(columns.storage),
}

export const poolColumns = (grouping: PoolGrouping, narrow = false): readonly PoolColumn[] =>
  (narrow ? narrowColumns : columns)[grouping]

const node: PoolOrder = { id: 'node', header: 'Node', firstDirection: 'asc', value: (pool) => pool.node }
const orders: readonly PoolOrder[] = [name, node, type, status, usage, free, total, fullIn]

export const poolOrders: readonly PoolOrder[] = preferences.storageSortKey.values.map((key) =>
  orders.find(({ id }) => id === key)!,
)
