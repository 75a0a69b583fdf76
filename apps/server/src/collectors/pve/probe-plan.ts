import type { SourceError } from '../source-error.ts'
import { agentReason } from './agent.ts'

export type ProbeKind = 'status' | 'filesystems' | 'network' | 'os' | 'meminfo' | 'rrd'

/** When one guest is to be asked what. Times are monotonic; what is absent is due at once. */
export interface ProbePlan {
  due: Partial<Record<ProbeKind, number>>
  failures: Partial<Record<ProbeKind, number>>
  empty: Partial<Record<ProbeKind, number>>
  lastAt: number
  /** calls so far */
  asked: number
  /** failures of the agent itself, whatever it was asked, and when it may be asked again */
  agentFailures: number
  agentRetryAt: number
}

export const newPlan = (): ProbePlan => ({
  due: {},
  failures: {},
  empty: {},
  lastAt: 0,
  asked: 0,
  agentFailures: 0,
  agentRetryAt: 0,
})

export interface ProbedGuest {
  type: 'qemu' | 'lxc'
  /** undefined until the first status/current said so */
  agentEnabled: boolean | undefined
  isWindows: boolean
  asksRrd: boolean
}

const second = 1000
const minute = 60 * second
/** Two calls a minute and guest, kept by their distance. */
const spacingMs = 30.5 * second
/** The first two follow each other, so that a new guest shows its file systems soon; the third waits for both. */
const firstSpacingMs = [2 * second, 2 * spacingMs]
const everyMs: Record<ProbeKind, number> = {
  status: 100 * second,
  filesystems: 100 * second,
  network: 5 * minute,
  os: 10 * minute,
  meminfo: 4 * minute,
  rrd: minute,
}
const containerStatusMs = 5 * minute
const agentKinds: readonly ProbeKind[] = ['filesystems', 'network', 'os', 'meminfo']
/** Asking for the OS has crashed guests with a faulty agent (OpenBSD): three failures, then a day's rest. */
const osAttempts = 3
const day = 24 * 60 * minute
/** Booting guests get their address within minutes; one without any is not asked for ever. */
const eagerAttempts = 10

/** What to ask next and when. Equally due questions go in the order in which they are listed. */
export function nextProbe(plan: ProbePlan, guest: ProbedGuest): { kind: ProbeKind; at: number } {
  let next: { kind: ProbeKind; at: number } = { kind: 'status', at: Infinity }
  for (const kind of questions(guest)) {
    const ready = guest.type === 'qemu' && agentKinds.includes(kind) ? plan.agentRetryAt : 0
    const at = Math.max(plan.due[kind] ?? 0, ready)
    if (at < next.at) next = { kind, at }
  }
  const distanceMs = plan.asked === 0 ? 0 : (firstSpacingMs[plan.asked - 1] ?? spacingMs)
  return { ...next, at: Math.max(next.at, plan.lastAt + distanceMs) }
}

/** Nothing about its inside is known yet. */
export const isNew = (plan: ProbePlan): boolean => plan.asked < firstSpacingMs.length

function questions(guest: ProbedGuest): ProbeKind[] {
  const rrd: ProbeKind[] = guest.asksRrd ? ['rrd'] : []
  if (guest.type === 'lxc') return ['network', 'status', ...rrd]
  if (!guest.agentEnabled) return ['status', ...rrd]
  return [
    'status',
    'filesystems',
    'network',
    'os',
    ...(guest.isWindows ? [] : (['meminfo'] as const)),
    ...rrd,
  ]
}

export function probeAnswered(
  plan: ProbePlan,
  kind: ProbeKind,
  guest: ProbedGuest,
  isEmpty: boolean,
  now: number,
): void {
  plan.lastAt = now
  plan.asked++
  plan.failures[kind] = 0
  if (agentKinds.includes(kind)) plan.agentFailures = 0
  const empty = isEmpty ? (plan.empty[kind] ?? 0) + 1 : 0
  plan.empty[kind] = empty
  const usualMs = guest.type === 'lxc' && kind === 'status' ? containerStatusMs : everyMs[kind]
  plan.due[kind] = now + (empty > 0 && empty <= eagerAttempts ? spacingMs : usualMs)
}

export function probeFailed(
  plan: ProbePlan,
  kind: ProbeKind,
  guest: ProbedGuest,
  error: SourceError,
  now: number,
): void {
  plan.lastAt = now
  plan.asked++
  const reason = agentReason(error)
  if (reason === undefined) {
    plan.due[kind] = now + spacingMs // the way to the node is at fault: that has its own pauses
    return
  }
  const failures = (plan.failures[kind] ?? 0) + 1
  plan.failures[kind] = failures
  if (kind === 'os' && failures >= osAttempts) {
    plan.failures.os = 0
    plan.due.os = now + day
  } else if (guest.type === 'qemu' && agentKinds.includes(kind) && isAgentDown(error)) {
    plan.agentFailures++
    plan.agentRetryAt = now + doubling(30 * second, plan.agentFailures, 10 * minute)
    plan.due[kind] = now
  } else if (error.code === 'timeout' || kind === 'status') {
    plan.due[kind] = now + doubling(30 * second, failures, 10 * minute)
  } else {
    plan.due[kind] = now + doubling(5 * minute, failures, 60 * minute) // no right, or a command that is switched off
  }
}

const isAgentDown = (error: SourceError) =>
  error.code === 'timeout' ||
  (error.code === 'server' && /not running|got timeout|not available/i.test(error.message))

const doubling = (firstMs: number, failures: number, longestMs: number) =>
  Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 16))
