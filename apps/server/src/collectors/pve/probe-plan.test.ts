import { expect, test } from 'vitest'
import { SourceError, type SourceErrorCode } from '../source-error.ts'
import {
  newPlan,
  nextProbe,
  probeAnswered,
  probeFailed,
  type ProbedGuest,
  type ProbeKind,
} from './probe-plan.ts'

const linux: ProbedGuest = {
  type: 'qemu',
  agentEnabled: true,
  lacksMeminfo: false,
  halted: false,
  asksRrd: false,
  wants: new Set(),
}
const error = (code: SourceErrorCode, text = '') => new SourceError(code, text)

/** The probes of a guest in that time, if every answer is of the given kind. */
function asked(
  guest: ProbedGuest,
  seconds: number,
  answer: (kind: ProbeKind) => SourceError | 'empty' | 'ok',
) {
  const plan = newPlan()
  const probes: { kind: ProbeKind; at: number }[] = []
  for (let now = 1_000_000; ;) {
    const { kind, at } = nextProbe(plan, guest)
    now = Math.max(now, at)
    if (now > 1_000_000 + seconds * 1000) return probes
    probes.push({ kind, at: (now - 1_000_000) / 1000 })
    const outcome = answer(kind)
    if (outcome instanceof SourceError) probeFailed(plan, kind, guest, outcome, now)
    else probeAnswered(plan, kind, guest, outcome === 'empty', now)
  }
}
const ok = () => 'ok' as const
const count = (probes: { kind: ProbeKind }[], kind: ProbeKind) =>
  probes.filter((probe) => probe.kind === kind).length

test('the first round is over within about two minutes, and goes from what matters most', () => {
  expect(asked(linux, 125, ok).map(({ kind }) => kind)).toEqual([
    'meminfo',
    'filesystems',
    'network',
    'status',
    'os',
  ])
})

test('what is wanted comes before what is due, also for a guest that is new', () => {
  const wanting = { ...linux, wants: new Set<ProbeKind>(['status']) }
  expect(nextProbe(newPlan(), wanting).kind).toBe('status')
})

test.each<[string, ProbedGuest, () => 'ok' | 'empty' | SourceError]>([
  ['all answers', linux, ok],
  ['empty answers', linux, () => 'empty'],
  ['timeouts', linux, () => error('timeout')],
  ['a lost node', linux, () => error('unreachable')],
  ['containers', { ...linux, type: 'lxc' }, ok],
])('[design 9] never more than two calls in any minute and guest: %s', (_case, guest, answer) => {
  const probes = asked(guest, 3_600, answer)
  for (const { at } of probes) {
    expect(probes.filter((other) => other.at > at - 60 && other.at <= at).length).toBeLessThanOrEqual(2)
  }
})

test('in steady state status and file systems come every 100 s, addresses every 5 and the OS every 10 minutes', () => {
  const hour = asked(linux, 3_600, ok)
  expect(count(hour, 'status')).toBeGreaterThanOrEqual(30)
  expect(count(hour, 'filesystems')).toBeGreaterThanOrEqual(30)
  expect(count(hour, 'network')).toBeGreaterThanOrEqual(11)
  expect(count(hour, 'os')).toBe(6)
  expect(count(hour, 'meminfo')).toBeGreaterThanOrEqual(17)
})

test('the agent is asked unless there is none or its VM is paused, and only Linux for /proc/meminfo', () => {
  const kinds = (guest: ProbedGuest) => new Set(asked(guest, 3_600, ok).map(({ kind }) => kind))
  expect(kinds({ ...linux, halted: true })).toEqual(new Set(['status']))
  expect(kinds({ ...linux, agentEnabled: false })).toEqual(new Set(['status']))
  expect(kinds({ ...linux, lacksMeminfo: true })).toEqual(new Set(['status', 'filesystems', 'network', 'os']))
  expect(kinds({ ...linux, type: 'lxc' })).toEqual(new Set(['status', 'network']))
})

test('memory and file systems are asked for within seconds, before it is known whether there is an agent', () => {
  const first = asked({ ...linux, agentEnabled: undefined }, 30, ok)
  expect(first).toEqual([
    { kind: 'meminfo', at: 0 },
    { kind: 'filesystems', at: 2 },
  ])
})

test('an agent that is down costs one call, and the status comes next', () => {
  const early = asked({ ...linux, agentEnabled: undefined }, 10, (kind) =>
    kind === 'status' ? 'ok' : error('server', 'QEMU guest agent is not running'),
  )
  expect(early.map(({ kind }) => kind)).toEqual(['meminfo', 'status'])
})

test('what changed is asked for at the next opportunity, which is never sooner than the distance', () => {
  const plan = newPlan()
  for (const at of [0, 2_000]) probeAnswered(plan, nextProbe(plan, linux).kind, linux, false, at)
  const wanting = { ...linux, wants: new Set<ProbeKind>(['meminfo']) }
  expect(nextProbe(plan, wanting)).toEqual({ kind: 'meminfo', at: 61_000 })
  expect(nextProbe(newPlan(20_000), linux).at).toBe(20_000)
})

test('[facts 1.10] no address yet: asked again at the next opportunity, but not for ever', () => {
  const early = asked(linux, 600, (kind) => (kind === 'network' ? 'empty' : 'ok'))
  expect(count(early, 'network')).toBeGreaterThanOrEqual(7)
  const day = asked(linux, 86_400, (kind) => (kind === 'network' ? 'empty' : 'ok'))
  expect(count(day, 'network')).toBeLessThan(320)
})

test('a silent agent is left alone longer and longer, up to ten minutes', () => {
  const silent = asked(linux, 3_600, (kind) => (kind === 'status' ? 'ok' : error('timeout')))
  const toAgent = silent.filter(({ kind }) => kind !== 'status')
  expect(toAgent.length).toBeLessThanOrEqual(12)
  const gaps = toAgent.slice(-3).map(({ at }, index, all) => (index === 0 ? 600 : at - all[index - 1]!.at))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(590)
})

test('[facts 6.2.15] get-osinfo is given up for a day after three failures', () => {
  const day = asked(linux, 80_000, (kind) => (kind === 'os' ? error('server', 'Agent error') : 'ok'))
  expect(count(day, 'os')).toBe(3)
  expect(count(day, 'filesystems')).toBeGreaterThan(700)
})

test('a missing right for one question does not keep the others back', () => {
  const hour = asked(linux, 3_600, (kind) => (kind === 'meminfo' ? error('forbidden') : 'ok'))
  expect(count(hour, 'meminfo')).toBeLessThanOrEqual(4)
  expect(count(hour, 'filesystems')).toBeGreaterThanOrEqual(30)
})
