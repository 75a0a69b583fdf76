import type { PhysicalDiskCheck } from '@pulse/contract'
import { formatNumber, MISSING } from '../../../lib/format.ts'
import { type RecordColumn, RecordTable } from '../../../parts/table/record-table.tsx'
import { Block, Disclosure, Facts } from './facts.tsx'
import { TextList } from './findings-panel.tsx'

type NodeDisks = PhysicalDiskCheck['nodeResults'][number]

export function PhysicalDisks({ check }: { check: PhysicalDiskCheck }) {
  const { nodesChecked, nodesWithDisks, totalDisks, nodeResults, testResult, recommendations = [] } = check
  return (
    <Block title="Physical disks">
      {nodesChecked > 0 && (
        <Facts
          facts={[
            { label: 'Nodes checked', value: formatNumber(nodesChecked) },
            { label: 'With disks', value: formatNumber(nodesWithDisks) },
            { label: 'Disks', value: formatNumber(totalDisks) },
            ...(testResult === undefined ? [] : [{ label: 'Result', value: testResult }]),
          ]}
        />
      )}
      {recommendations.length > 0 && <TextList label="Recommendations" texts={recommendations} />}
      {nodeResults.length > 0 && (
        <Disclosure summary={`Per node (${nodeResults.length})`}>
          <RecordTable
            label="Physical disks per node"
            columns={columns}
            rows={nodeResults}
            keyOf={({ nodeName }) => nodeName}
            minWidth={480}
          />
        </Disclosure>
      )}
    </Block>
  )
}

const disksText = (count: number) => `${formatNumber(count)} ${count === 1 ? 'disk' : 'disks'}`

const devicesOf = ({ error, apiResponse, diskDevices = [] }: NodeDisks): string =>
  error ?? (diskDevices.length > 0 ? diskDevices.join(', ') : (apiResponse ?? MISSING))

const columns: readonly RecordColumn<NodeDisks>[] = [
  {
    header: 'Node',
    cell: ({ nodeName }) => <span className="font-medium break-all">{nodeName}</span>,
    phone: { slot: 'name' },
  },
  {
    header: 'Disks',
    align: 'end',
    cell: ({ diskCount }) => formatNumber(diskCount),
    phone: { slot: 'fact', draw: ({ diskCount }) => disksText(diskCount) },
  },
  {
    header: 'Devices',
    cell: (row) => <span className="break-words">{devicesOf(row)}</span>,
    phone: { slot: 'fact' },
  },
]
