import { type Backoff, backoffMs } from '../../timing/backoff.ts'
import type { SourceError } from '../source-error.ts'
import { agentReason } from './agent.ts'

export type ProbeKind = 'status' | 'filesystems' | 'network' | 'os' | 'meminfo' | 'rrd'

/** The schedule of a guest's probes. Times are monotonic. An absent time means due at once. */
export interface ProbePlan {
  /** no probe before this time */
  startAt: number
  due: Partial<Record<ProbeKind, number>>
  failures: Partial<Record<ProbeKind, number>>
  empty: Partial<Record<ProbeKind, number>>
  /** the last call and the one before it */
  lastAt: number
  previousAt: number
  /** calls so far */
  asked: number
  /** failures of the agent itself with any probe, and the time of the next attempt */
  agentFailures: number
  agentRetryAt: number
}

export const newPlan = (startAt = 0): ProbePlan => ({
  startAt,
  due: {},
  failures: {},
  empty: {},
  lastAt: 0,
  previousAt: 0,
  asked: 0,
  agentFailures: 0,
  agentRetryAt: 0,
})

export interface ProbedGuest {
  type: 'qemu' | 'lxc'
  /** undefined until the agent or status/current has shown it */
  agentEnabled: boolean | undefined
  /** its system is known, and is not Linux */
  lacksMeminfo: boolean
  /** paused: its agent cannot answer */
  halted: boolean
  asksRrd: boolean
  /** probes that are due because something changed */
  wants: ReadonlySet<ProbeKind>
}

const second = 1000
const minute = 60 * second
/** Two calls per minute and guest, evenly spaced. */
const spacingMs = 30.5 * second
/** The first two calls follow each other, so that a new guest soon shows memory and file systems. */
const firstSpacingMs = 2 * second
const spacedFirst = 2

const intervalMs: Record<ProbeKind, number> = {
  status: 100 * second,
  filesystems: 100 * second,
  network: 5 * minute,
  os: 10 * minute,
  meminfo: 3 * minute,
  rrd: minute,
}
const containerStatusMs = 5 * minute
const agentKinds: readonly ProbeKind[] = ['filesystems', 'network', 'os', 'meminfo']
/** The OS query has crashed guests with a faulty agent (OpenBSD): three failures, then a pause of a day. */
const osAttempts = 3
const day = 24 * 60 * minute
const silent: Backoff = { firstMs: 30 * second, longestMs: 10 * minute }
/** A missing right, or a disabled command. */
const refused: Backoff = { firstMs: 5 * minute, longestMs: 60 * minute }
/** Booting guests get their address within minutes. A guest without one is not queried forever. */
const eagerAttempts = 10

/** The next probe and its time. What is wanted comes first; of equally due probes, the first in the list wins. */
export function nextProbe(plan: ProbePlan, guest: ProbedGuest): { kind: ProbeKind; at: number } {
  let next: { kind: ProbeKind; at: number } = { kind: 'status', at: Infinity }
  for (const kind of questions(guest)) {
    const ready = guest.type === 'qemu' && agentKinds.includes(kind) ? plan.agentRetryAt : 0
    const at = guest.wants.has(kind) ? -Infinity : Math.max(plan.due[kind] ?? 0, ready)
    if (at < next.at) next = { kind, at }
  }
  return { ...next, at: Math.max(next.at, plan.startAt, earliest(plan)) }
}

/** With any spacing, a call and the next but one are a minute apart. */
function earliest({ asked, lastAt, previousAt }: ProbePlan): number {
  if (asked === 0) return 0
  const spaced = lastAt + (asked <= spacedFirst ? firstSpacingMs : spacingMs)
  return asked === 1 ? spaced : Math.max(spaced, previousAt + 2 * spacingMs)
}

/** Nothing is known about the inside of the guest. */
export const isNew = (plan: ProbePlan): boolean => plan.asked < spacedFirst

/**
 * Memory and file systems come first because every page shows them, then addresses. The agent is called even
 * before status/current shows that it exists, because PVE checks this before the call and answers at once.
 */
function questions(guest: ProbedGuest): ProbeKind[] {
  const last: ProbeKind[] = guest.asksRrd ? ['rrd'] : []
  if (guest.type === 'lxc') return ['network', 'status', ...last]
  if (guest.agentEnabled === false || guest.halted) return ['status', ...last]
  const meminfo: ProbeKind[] = guest.lacksMeminfo ? [] : ['meminfo']
  return [...meminfo, 'filesystems', 'network', 'status', 'os', ...last]
}

function noteCall(plan: ProbePlan, now: number): void {
  plan.previousAt = plan.lastAt
  plan.lastAt = now
  plan.asked++
}

export function probeAnswered(
  plan: ProbePlan,
  kind: ProbeKind,
  guest: ProbedGuest,
  isEmpty: boolean,
  now: number,
): void {
  noteCall(plan, now)
  plan.failures[kind] = 0
  if (agentKinds.includes(kind)) plan.agentFailures = 0
  const empty = isEmpty ? (plan.empty[kind] ?? 0) + 1 : 0
  plan.empty[kind] = empty
  const usualMs = guest.type === 'lxc' && kind === 'status' ? containerStatusMs : intervalMs[kind]
  plan.due[kind] = now + (empty > 0 && empty <= eagerAttempts ? spacingMs : usualMs)
}

export function probeFailed(
  plan: ProbePlan,
  kind: ProbeKind,
  guest: ProbedGuest,
  error: SourceError,
  now: number,
): void {
  noteCall(plan, now)
  const reason = agentReason(error)
  if (reason === undefined) {
    plan.due[kind] = now + spacingMs // the connection to the node failed, which has its own pauses
    return
  }
  const failures = (plan.failures[kind] ?? 0) + 1
  plan.failures[kind] = failures
  if (kind === 'os' && failures >= osAttempts) {
    plan.failures.os = 0
    plan.due.os = now + day
  } else if (guest.type === 'qemu' && agentKinds.includes(kind) && isAgentDown(error)) {
    plan.agentFailures++
    plan.agentRetryAt = now + backoffMs(silent, plan.agentFailures)
    plan.due[kind] = now
  } else if (error.code === 'timeout' || kind === 'status') {
    plan.due[kind] = now + backoffMs(silent, failures)
  } else {
    plan.due[kind] = now + backoffMs(refused, failures)
  }
}

const isAgentDown = (error: SourceError) =>
  error.code === 'timeout' ||
  (error.code === 'server' && /not running|got timeout|not available/i.test(error.said))
