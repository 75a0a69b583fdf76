import type { DiagnosedNode } from '@pulse/contract'
import { formatNumber } from '../../../lib/format.ts'
import { type RecordColumn, RecordTable } from '../../../parts/table/record-table.tsx'
import { Block, Disclosure, Facts } from './facts.tsx'

type Calls = NonNullable<DiagnosedNode['calls']>
type NodeCalls = Calls['nodes'][number]
type PartCalls = Calls['parts'][number]

const columns: readonly RecordColumn<NodeCalls>[] = [
  {
    header: 'Node',
    cell: ({ node }) => <span className="font-medium break-all">{node}</span>,
    phone: { slot: 'name' },
  },
  { header: 'Lists per minute', align: 'end', cell: (row) => formatNumber(row.listCallsPerMinute) },
  { header: 'Probes per minute', align: 'end', cell: (row) => formatNumber(row.probeCallsPerMinute) },
  { header: 'Slow per minute', align: 'end', cell: (row) => formatNumber(row.slowCallsPerMinute) },
  {
    header: 'Put off',
    align: 'end',
    cell: (row) => formatNumber(row.deferredCalls),
    phone: { slot: 'fact', draw: (row) => costText(row) },
  },
]

const partColumns: readonly RecordColumn<PartCalls>[] = [
  {
    header: 'Part',
    cell: ({ part }) => <span className="font-medium">{part}</span>,
    phone: { slot: 'name' },
  },
  {
    header: 'Per minute',
    align: 'end',
    cell: (row) => formatNumber(row.callsPerMinute),
    phone: { slot: 'figure', label: 'In the last minute' },
  },
  {
    header: 'Share',
    align: 'end',
    cell: (row) => formatNumber(row.budgetPerMinute),
    phone: { slot: 'figure', label: 'share' },
  },
]

const fewNodes = 8

/** The API calls that monitoring a connection costs. */
export function CallCost({ calls }: { calls: Calls }) {
  const { nodes, parts } = calls
  // only hypervisors have nodes and guest probes
  if (nodes.length === 0) return <Facts facts={[{ label: 'API calls', value: listText(calls) }]} />
  return (
    <Block title="API calls">
      <p className="text-table text-ink-2">{costText(calls)}</p>
      <p className="text-table text-ink-2">{budgetText(calls)}</p>
      {parts.length > 0 && (
        <Disclosure summary={`Per part (${parts.length})`}>
          <RecordTable
            label="API calls per part"
            columns={partColumns}
            rows={parts}
            keyOf={({ part }) => part}
            minWidth={360}
          />
        </Disclosure>
      )}
      <Disclosure summary={`Per node (${nodes.length})`} startOpen={nodes.length <= fewNodes}>
        <RecordTable
          label="API calls per node"
          columns={columns}
          rows={nodes}
          keyOf={({ node }) => node}
          minWidth={480}
        />
      </Disclosure>
    </Block>
  )
}

type Cost = Omit<NodeCalls, 'node'>

const listText = ({ listCallsPerMinute, deferredCalls }: Cost) =>
  `${formatNumber(listCallsPerMinute)} in the last minute${putOffText(deferredCalls)}`

const budgetText = ({ budget }: Calls) =>
  `Its budget allows ${counted(budget.listCallsPerMinute, 'list call')} and ` +
  `${counted(budget.probeCallsPerMinute, 'guest probe')} a minute`

const costText = ({ listCallsPerMinute, probeCallsPerMinute, slowCallsPerMinute, deferredCalls }: Cost) =>
  `In the last minute ${counted(listCallsPerMinute, 'list call')}, ` +
  `${counted(probeCallsPerMinute, 'guest probe')} and ` +
  `${counted(slowCallsPerMinute, 'slow call')}${putOffText(deferredCalls)}`

const putOffText = (count: number) => (count > 0 ? `. Deferred since the start: ${formatNumber(count)}` : '')

const counted = (count: number, thing: string) => `${formatNumber(count)} ${thing}${count === 1 ? '' : 's'}`
