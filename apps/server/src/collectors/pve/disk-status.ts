import type { DiskStatusReason } from '@pulse/contract'

export interface DiskSituation {
  running: boolean
  /** started, but not running */
  halted: boolean
  /** the last status/current failed */
  statusFailed: boolean
  /** undefined until the first status/current */
  agentEnabled: boolean | undefined
  /** the reason why the last attempt to read the file systems failed */
  failure: DiskStatusReason | undefined
  hasDisks: boolean
  /** the agent reported sizes, but no usage */
  hasSizesOnly: boolean
  allocatedBytes: number
}

/** The reason why a VM's disk usage is unknown or outdated; undefined if it is current. */
export function diskStatusReason(now: DiskSituation): DiskStatusReason | undefined {
  if (!now.running) return 'vm-stopped'
  if (now.halted) return now.hasDisks ? undefined : 'vm-paused'
  if (now.statusFailed) return 'no-status'
  if (now.agentEnabled === false) return 'agent-disabled'
  if (now.failure) return now.failure
  if (now.hasSizesOnly) return 'no-data'
  if (now.hasDisks) return undefined
  return now.allocatedBytes > 0 ? 'no-agent' : 'no-data'
}

const carryMs = 600_000

/** Temporary failures: the last good figures remain for ten minutes, with the reason. */
const passing = new Set<DiskStatusReason>([
  'no-status',
  'agent-timeout',
  'agent-not-running',
  'agent-error',
  'no-data',
])

export function mayCarry(reason: DiskStatusReason | undefined, measuredAt: number, now: number): boolean {
  if (reason === undefined) return true
  return passing.has(reason) && now - measuredAt <= carryMs
}
