import type { Diagnostics } from '@pulse/contract'
import { formatNumber, MISSING } from '../../../lib/format.ts'
import { usedOfTotal } from '../../../parts/cells/cells.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { type RecordColumn, RecordTable } from '../../../parts/table/record-table.tsx'
import { When } from '../when.tsx'
import { Disclosure } from './facts.tsx'

type Source = Diagnostics['memorySources'][number]
type Snapshot = Diagnostics['nodeSnapshots'][number]

/** Sources of the memory figures; empty until a Proxmox VE node has been read. */
export function MemoryPanel({ result }: { result: Diagnostics }) {
  const { memorySources, nodeSnapshots, guestSnapshots } = result
  if (memorySources.length + guestSnapshots.length === 0) return null
  const guests = guestSources(guestSnapshots)
  return (
    <Panel
      title="Memory sources"
      description="The source of each memory figure. A fallback counts page cache as used."
      flush
    >
      <RecordTable
        label="Memory sources"
        columns={sourceColumns}
        rows={memorySources}
        keyOf={({ instance, source }) => `${instance} ${source}`}
        minWidth={520}
      />
      <div className="flex flex-col gap-3 border-t border-line p-4">
        {guests.length > 0 && <p className="text-table text-ink-2">{`Guests: ${guests.join(', ')}`}</p>}
        <Disclosure summary={`Per node (${nodeSnapshots.length})`}>
          <RecordTable
            label="Memory per node"
            columns={nodeColumns}
            rows={nodeSnapshots}
            keyOf={({ instance, node }) => `${instance} ${node}`}
            minWidth={520}
          />
        </Disclosure>
      </div>
    </Panel>
  )
}

function SourceName({ source, fallback }: { source: string; fallback: boolean }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      <span>{memorySourceText(source)}</span>
      {fallback && <Badge tone="yellow">Fallback</Badge>}
    </span>
  )
}

const nodesText = (count: number) => `${formatNumber(count)} ${count === 1 ? 'node' : 'nodes'}`

const usedOf = ({ used, total }: Snapshot) => usedOfTotal(used, total) ?? MISSING

const sourceColumns: readonly RecordColumn<Source>[] = [
  {
    header: 'Connection',
    cell: ({ instance }) => <span className="font-medium break-all">{instance}</span>,
    phone: { slot: 'name' },
  },
  {
    header: 'Source',
    cell: (row) => <SourceName source={row.source} fallback={row.fallback} />,
    phone: { slot: 'badge' },
  },
  {
    header: 'Nodes',
    align: 'end',
    cell: ({ nodeCount }) => formatNumber(nodeCount),
    phone: { slot: 'fact', draw: ({ nodeCount }) => nodesText(nodeCount) },
  },
  {
    header: 'Updated',
    cell: ({ lastUpdated }) => <When time={lastUpdated} inline="ago" />,
    phone: { slot: 'fact' },
  },
]

const nodeColumns: readonly RecordColumn<Snapshot>[] = [
  {
    header: 'Node',
    cell: ({ node }) => <span className="font-medium break-all">{node}</span>,
    phone: { slot: 'name' },
  },
  {
    header: 'Connection',
    cell: ({ instance }) => <span className="break-all">{instance}</span>,
    phone: { slot: 'fact' },
  },
  {
    header: 'Source',
    cell: (row) => <SourceName source={row.memorySource} fallback={row.fallback} />,
    phone: { slot: 'badge' },
  },
  { header: 'Used', align: 'end', cell: usedOf, phone: { slot: 'fact' } },
]

const words: Readonly<Record<string, string>> = {
  available: 'available memory',
  cache: 'memory without page cache',
  rrd: 'recorded statistics',
  agent: 'guest agent',
  mem: 'memory of the machine',
  freemem: 'free memory in the guest',
  used: 'used memory with page cache',
  list: 'list of the cluster',
}

/** Display name of a memory source; unknown sources keep their key. */
const memorySourceText = (source: string): string => (Object.hasOwn(words, source) && words[source]) || source

/** Number of guests per source, most frequent first. */
export function guestSources(guests: Diagnostics['guestSnapshots']): string[] {
  const groups = Map.groupBy(guests, ({ memorySource }) => memorySource)
  return [...groups]
    .map(([source, { length }]) => ({ source, length }))
    .toSorted((a, b) => b.length - a.length)
    .map(({ source, length }) => `${length} by ${memorySourceText(source)}`)
}
