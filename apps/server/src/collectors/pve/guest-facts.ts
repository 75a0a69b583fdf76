import type { DiskStatusReason, MemoryEstimate } from '@pulse/contract'
import { lacksMeminfo, type GuestNetwork, type GuestOs } from './agent.ts'
import { diskStatusReason, mayCarry } from './disk-status.ts'
import type { DiskUsage } from './filesystems.ts'
import {
  afterBalloon,
  applyShare,
  countedMemory,
  estimateOf,
  guestMemory,
  preferShare,
  shareByStatus,
  type AppliedShare,
  type MemoryShare,
} from './guest-memory.ts'
import type { MemoryReading } from './memory.ts'
import type { ProbeKind } from './probe-plan.ts'
import { sampleListing, sampleReport, type RatedGuest } from './guest-rates.ts'
import type { PveGuest, PveGuestStatus } from './schema.ts'
import { followRun, isRestart, type Run } from './uptime.ts'

/** The data about one guest, from the listing and from probes. */
export interface GuestFacts extends RatedGuest {
  vmid: number
  status: string
  lock: string | undefined
  /** the last listing with figures; all times here are by the monotonic clock */
  seenAt: number
  /** the listing counts as fresh until then */
  freshUntil: number
  missingSince?: number | undefined
  /** set while the guest is not listed, is listed without figures, or the listing is old */
  staleSince?: number | undefined
  run?: Run | undefined
  /** started but not running, in QEMU's words: paused, suspended, io-error */
  halted?: string | undefined
  /** probes to send as soon as possible, because the guest changed */
  wants: Set<ProbeKind>
  memory?: (MemoryReading & { at: number }) | undefined
  memoryShare?: MemoryShare | undefined
  appliedShare?: AppliedShare | undefined
  memoryEstimate?: MemoryEstimate | undefined
  balloon?: number | undefined
  swapUsed?: number | undefined
  swapTotal?: number | undefined
  disks?: (DiskUsage & { at: number }) | undefined
  diskReason?: DiskStatusReason | undefined
  network?: GuestNetwork | undefined
  os?: GuestOs | undefined
  report?: { value: PveGuestStatus; at: number } | undefined
  reportFailed: boolean
  diskFailure?: DiskStatusReason | undefined
  /** whether an agent is configured, before the first status/current */
  agentKnown?: boolean | undefined
  /** the agent cannot read memory, or does not run */
  meminfoFailed: boolean
}

/** A status/current, which is polled every minute or two, counts for this long. */
const reportMs = 300_000
/** One listing without a figure does not clear it. */
const holdMs = 60_000

/** A guest on a lost node is listed only with its id. */
export const isVague = (entry: PveGuest) =>
  entry.status === undefined || (entry.status === 'unknown' && entry.maxmem === undefined)

const isUnused = ({ type, status, cpu }: PveGuest) => type === 'qemu' && status === 'running' && cpu === 0

export const newFacts = (raw: PveGuest, at: number): GuestFacts => ({
  vmid: raw.vmid,
  node: raw.node,
  status: 'unknown',
  lock: undefined,
  raw,
  seenAt: at,
  freshUntil: at,
  rates: {},
  windows: {},
  reportFailed: false,
  meminfoFailed: false,
  // Its processors may be halted: only the status says so, and then its agent cannot answer.
  wants: new Set(isUnused(raw) ? ['status'] : []),
})

/** The guest is listed without any figures. */
export function lose(facts: GuestFacts, entry: PveGuest): void {
  facts.missingSince = undefined
  facts.node = entry.node
  facts.status = 'unknown'
  facts.lock = undefined
  facts.run = undefined
  facts.halted = undefined
  facts.staleSince ??= facts.seenAt
}

/** The guest is listed with its figures. */
export function see(facts: GuestFacts, entry: PveGuest, at: number): void {
  const { raw: before, node: nodeBefore, run: runBefore } = facts
  facts.missingSince = undefined
  facts.staleSince = undefined
  facts.raw = entry
  facts.node = entry.node
  facts.status = entry.status ?? 'unknown'
  facts.lock = entry.lock?.trim() || undefined
  facts.seenAt = at
  if (facts.status === 'running') {
    // A VM that migrates while running is a new process on its new node, with the same system inside.
    const isMove = entry.node !== nodeBefore && entry.type === 'qemu'
    if (isRestart(runBefore, at, entry.uptime) && !isMove) forget(facts)
    facts.run = followRun(runBefore, at, entry.uptime)
    const [cpu, cpuBefore] = [entry.cpu, before.cpu]
    if (entry.type === 'qemu' && (facts.halted ? cpu : cpu === 0 && cpuBefore)) facts.wants.add('status')
  } else if (facts.status !== 'unknown') {
    forget(facts)
  }
  sampleListing(facts, before, at)
  refresh(facts, at)
}

/** Probes whose results may change after a start. */
const asksAgain: readonly ProbeKind[] = ['meminfo', 'filesystems', 'network']

/** Measurements of an earlier run do not apply to this one. */
function forget(facts: GuestFacts): void {
  facts.run = undefined
  facts.halted = undefined
  facts.windows = {}
  facts.rates = {}
  facts.memory = undefined
  facts.memoryShare = undefined
  facts.appliedShare = undefined
  facts.report = undefined
  facts.reportFailed = false
  facts.meminfoFailed = false
  facts.diskFailure = undefined
  for (const kind of asksAgain) facts.wants.add(kind)
}

/** Whether the guest has an agent that may be called; undefined until known. */
export const hasAgent = ({ report, agentKnown }: GuestFacts): boolean | undefined =>
  report ? (report.value.agent ?? false) : agentKnown

/** QEMU's words for a VM with stopped processors. Its other words are temporary. */
const halts = ['paused', 'suspended', 'prelaunch', 'io-error', 'internal-error', 'guest-panicked', 'watchdog']

export function learnReport(facts: GuestFacts, value: PveGuestStatus, at: number): void {
  const { qmpstatus = '', balloon, swap, maxswap, ballooninfo } = value
  facts.report = { value, at }
  facts.reportFailed = false
  facts.lock = value.lock?.trim() || facts.lock
  facts.halted = halts.includes(qmpstatus) ? qmpstatus : undefined
  const balloonBefore = facts.balloon
  facts.balloon = ballooninfo?.actual ?? balloon
  const counted = countedMemory(facts.raw, value)
  const share = shareByStatus(value, facts.raw.maxmem, counted, at)
  if (share) learnShare(facts, share)
  else if (facts.memoryShare && counted && hasMoved(balloonBefore, facts.balloon)) {
    facts.memoryShare = afterBalloon(facts.memoryShare, counted)
    facts.wants.add('meminfo')
  }
  if (facts.raw.type === 'lxc') Object.assign(facts, { swapUsed: swap, swapTotal: maxswap })
  sampleReport(facts, value, at)
  // Without an agent these cannot be read any more.
  if (facts.raw.type === 'qemu' && !value.agent) Object.assign(facts, { network: undefined, os: undefined })
}

const hasMoved = (before: number | undefined, now: number | undefined) =>
  before !== undefined && now !== undefined && Math.abs(now - before) > 0.01 * before

export function learnShare(facts: GuestFacts, share: MemoryShare): void {
  facts.memoryShare = preferShare(facts.memoryShare, share)
}

/** The hypervisor's memory figure, from the listing and the last report. */
export function countedOf({ raw, report }: GuestFacts, now: number): MemoryReading | undefined {
  return countedMemory(raw, report && now - report.at <= reportMs ? report.value : undefined)
}

/** Updates values that depend on several sources or on their age. */
export function refresh(facts: GuestFacts, now: number): void {
  if (facts.status === 'running') refreshMemory(facts, now)
  if (facts.raw.type === 'qemu' && facts.status !== 'unknown') refreshDisks(facts, now)
}

function refreshMemory(facts: GuestFacts, now: number): void {
  // Nothing changes inside a halted guest.
  if (facts.halted && facts.memoryShare) facts.memoryShare = { ...facts.memoryShare, at: now }
  const { memory, memoryShare } = facts
  facts.appliedShare = applyShare(facts.appliedShare, memoryShare, now)
  const reading = guestMemory(countedOf(facts, now), memoryShare, facts.appliedShare, now)
  if (reading) facts.memory = { ...reading, at: now }
  else if (memory && now - memory.at > holdMs) facts.memory = undefined
  facts.memoryEstimate = estimateOf(memoryShare, awaitsAgent(facts), now)
}

const awaitsAgent = (facts: GuestFacts): boolean =>
  facts.raw.type === 'qemu' &&
  hasAgent(facts) !== false &&
  !facts.meminfoFailed &&
  !facts.halted &&
  !lacksMeminfo(facts.os)

function refreshDisks(facts: GuestFacts, now: number): void {
  const { disks } = facts
  facts.diskReason = diskStatusReason({
    running: facts.status === 'running',
    halted: facts.halted !== undefined,
    statusFailed: facts.reportFailed,
    agentEnabled: hasAgent(facts),
    failure: facts.diskFailure,
    hasDisks: disks !== undefined,
    hasSizesOnly: disks !== undefined && disks.used === undefined,
    allocatedBytes: facts.raw.maxdisk ?? 0,
  })
  if (disks && !mayCarry(facts.diskReason, disks.at, now)) facts.disks = undefined
}
