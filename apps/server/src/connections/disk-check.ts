import { compareNames, counting } from '@pulse/domain'
import type {
  DiskStatusReason,
  Guest,
  NodeConfig,
  PhysicalDisk,
  PhysicalDiskCheck,
  VmDiskCheck,
} from '@pulse/contract'

const issues: Record<Exclude<DiskStatusReason, 'vm-stopped'>, string> = {
  'no-status': 'the node does not report its status',
  'agent-disabled': 'the guest agent is not enabled in the options of the VM',
  'agent-not-running': 'the guest agent is enabled but does not run in the guest',
  'agent-timeout': 'the guest agent does not answer in time',
  'permission-denied': 'the account may not ask the guest agent',
  'agent-error': 'the guest agent answered with an error',
  'agent-unsupported': 'the guest agent of this system does not report file systems',
  'vm-paused': 'the VM is paused',
  'no-filesystems': 'the guest agent reports no file systems',
  'special-filesystems-only': 'the guest agent reports special file systems only',
  'no-agent': 'there is no guest agent',
  'no-data': 'there is no data yet',
}

const remedies: Partial<Record<DiskStatusReason, string>> = {
  'agent-disabled': 'Enable the QEMU guest agent in the options of these VMs, and restart them.',
  'agent-not-running': 'Install and start qemu-guest-agent in these guests.',
  'agent-timeout': 'Check qemu-guest-agent in these guests: it hangs, or the guest is overloaded.',
  'permission-denied': 'Give the account VM.GuestAgent.Audit (PVE 9) or VM.Monitor (PVE 8) on /vms.',
}

/** Reasons that come from a guest agent. A guest whose agent was never asked shows none of these. */
const ofAnAgent: readonly DiskStatusReason[] = [
  'agent-not-running',
  'agent-timeout',
  'permission-denied',
  'agent-error',
  'no-filesystems',
  'special-filesystems-only',
]
const mostProblems = 50

export function checkVmDisks(guests: readonly Guest[], missingRights: readonly string[]): VmDiskCheck {
  const vms = guests.filter(({ type }) => type === 'qemu')
  const running = vms.filter(({ status }) => status === 'running')
  const withData = running.filter(({ disks }) => disks !== undefined)
  const problems = running.flatMap(({ vmid, name, status, diskStatusReason: reason }) =>
    reason === undefined || reason === 'vm-stopped' ? [] : [{ vmid, name, status, reason }],
  )
  const reasons = new Set(problems.map(({ reason }) => reason))
  const test = withData[0] ?? running.find(({ vmid }) => vmid === problems[0]?.vmid)
  const permissions = missingRights.filter((right) => right.startsWith('VM.'))
  return {
    vmsFound: vms.length,
    vmsWithAgent: running.filter(
      ({ disks, diskStatusReason }) => disks || (diskStatusReason && ofAnAgent.includes(diskStatusReason)),
    ).length,
    vmsWithDiskData: withData.length,
    ...(test && { testVMID: test.vmid, testVMName: test.name, testResult: resultOf(test) }),
    ...(permissions.length > 0 && { permissions }),
    recommendations: [...reasons].flatMap((reason) => remedies[reason] ?? []),
    problematicVMs: problems
      .slice(0, mostProblems)
      .map(({ reason, ...vm }) => ({ ...vm, issue: issues[reason] })),
    filesystemsFound: (test?.disks ?? []).map(({ mountpoint = '', type = '', total, used }) => ({
      mountpoint,
      type,
      total,
      ...(used !== undefined && { used }),
      filtered: false,
    })),
  }
}

function resultOf({ disks, diskStatusReason: reason }: Guest): string {
  if (disks) return `${counting(disks.length, 'file system')} with figures`
  return reason === undefined || reason === 'vm-stopped' ? 'no figures yet' : issues[reason]
}

/** undefined while no disks are known, because nodes that were not asked do not count as checked. */
export function checkPhysicalDisks(
  { monitorPhysicalDisks }: NodeConfig,
  disks: readonly PhysicalDisk[],
): PhysicalDiskCheck | undefined {
  if (!monitorPhysicalDisks) {
    return {
      nodesChecked: 0,
      nodesWithDisks: 0,
      totalDisks: 0,
      nodeResults: [],
      recommendations: ['Physical disks are not monitored: enable them in the settings of this connection.'],
    }
  }
  if (disks.length === 0) return undefined
  const nodeResults = [...new Set(disks.map(({ node }) => node))].sort(compareNames).map((nodeName) => {
    const own = disks.filter(({ node }) => node === nodeName)
    return { nodeName, diskCount: own.length, diskDevices: own.map(({ devPath }) => devPath) }
  })
  return {
    nodesChecked: nodeResults.length,
    nodesWithDisks: nodeResults.length,
    totalDisks: disks.length,
    nodeResults,
    testResult: `${counting(disks.length, 'disk is', 'disks are')} known`,
  }
}
