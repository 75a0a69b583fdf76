import type { VmDiskCheck } from '@pulse/contract'
import { formatBytes, formatNumber, MISSING } from '../../../lib/format.ts'
import { type RecordColumn, RecordTable } from '../../../parts/table/record-table.tsx'
import { Block, Disclosure, Facts } from './facts.tsx'
import { TextList } from './findings-panel.tsx'
import { statusText } from './system-texts.ts'

type ProblemVm = NonNullable<VmDiskCheck['problematicVMs']>[number]
type FileSystem = NonNullable<VmDiskCheck['filesystemsFound']>[number]

/** Which virtual machines report disk usage, and why others do not. */
export function VmDisks({ check }: { check: VmDiskCheck }) {
  const { vmsFound, vmsWithAgent, vmsWithDiskData, testResult, testVMName, testVMID } = check
  const { recommendations = [], problematicVMs = [], filesystemsFound = [] } = check
  return (
    <Block title="VM disks">
      <Facts
        facts={[
          { label: 'VMs', value: formatNumber(vmsFound) },
          { label: 'With guest agent', value: formatNumber(vmsWithAgent) },
          { label: 'With disk figures', value: formatNumber(vmsWithDiskData) },
          ...(testResult === undefined
            ? []
            : [{ label: `Checked ${testVMID ?? ''} ${testVMName ?? ''}`.trim(), value: testResult }]),
        ]}
      />
      {recommendations.length > 0 && <TextList label="Recommendations" texts={recommendations} />}
      {problematicVMs.length > 0 && (
        <Disclosure summary={`VMs without disk figures (${problematicVMs.length})`}>
          <RecordTable
            label="VMs without disk figures"
            columns={problemColumns}
            rows={problematicVMs}
            keyOf={({ vmid }) => String(vmid)}
            minWidth={520}
          />
        </Disclosure>
      )}
      {filesystemsFound.length > 0 && (
        <Disclosure summary={`File systems of ${testVMName ?? 'this VM'} (${filesystemsFound.length})`}>
          <RecordTable
            label="File systems"
            columns={fileSystemColumns}
            rows={filesystemsFound}
            keyOf={({ mountpoint, type }) => `${mountpoint} ${type}`}
            minWidth={520}
          />
        </Disclosure>
      )}
    </Block>
  )
}

const problemColumns: readonly RecordColumn<ProblemVm>[] = [
  { header: 'VMID', cell: ({ vmid }) => vmid, phone: { slot: 'name' } },
  {
    header: 'Name',
    cell: ({ name }) => <span className="font-medium break-all">{name}</span>,
    phone: { slot: 'name' },
  },
  { header: 'Status', cell: ({ status }) => statusText(status), phone: { slot: 'fact' } },
  { header: 'What is wrong', cell: ({ issue }) => issue, phone: { slot: 'fact' } },
]

const usedText = ({ used, total }: FileSystem) => `${formatBytes(used)} of ${formatBytes(total)}`
const countedText = ({ filtered, reason }: FileSystem) =>
  filtered ? `Left out${reason ? `: ${reason}` : ''}` : 'Counted'

const fileSystemColumns: readonly RecordColumn<FileSystem>[] = [
  {
    header: 'Mount point',
    cell: ({ mountpoint }) => <span className="break-all">{mountpoint || MISSING}</span>,
    phone: { slot: 'name' },
  },
  { header: 'Type', cell: ({ type }) => type || MISSING, phone: { slot: 'fact' } },
  { header: 'Used', align: 'end', cell: usedText, phone: { slot: 'fact' } },
  { header: 'In the total', cell: countedText, phone: { slot: 'fact' } },
]
