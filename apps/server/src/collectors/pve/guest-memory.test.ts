import { expect, test } from 'vitest'
import {
  afterBalloon,
  applyShare,
  countedMemory,
  estimateOf,
  guestMemory,
  preferShare,
  shareByAgent,
  shareByRrd,
  shareByStatus,
  weightOf,
  type AppliedShare,
  type MemoryShare,
} from './guest-memory.ts'
import { PveGuestStatus } from './schema.ts'

const GiB = 1024 ** 3
const minute = 60_000
const hour = 60 * minute
const status = (fields: object) => PveGuestStatus.parse(fields)

const host = { mem: 9 * GiB, memhost: 9 * GiB, maxmem: 8 * GiB }
test.each<[string, Parameters<typeof countedMemory>, string, number]>([
  ['(e) mem', [{ mem: 6 * GiB, memhost: 7 * GiB, maxmem: 8 * GiB }], 'mem', 6 * GiB],
  [
    '(f) freemem against what the balloon leaves',
    [{ mem: undefined, memhost: undefined, maxmem: 4 * GiB }, status({ freemem: GiB, balloon: 2 * GiB })],
    'freemem',
    GiB,
  ],
  [
    '(f) instead of a host view above the total',
    [host, status({ mem: 6 * GiB, freemem: 2 * GiB, ballooninfo: { total_mem: 8 * GiB } })],
    'freemem',
    6 * GiB,
  ],
  [
    '(f) only if mem and freemem make the total',
    [host, status({ mem: 3 * GiB, freemem: 2 * GiB, ballooninfo: { total_mem: 8 * GiB } })],
    'mem',
    8 * GiB,
  ],
  [
    'a listing of 0 does not beat status/current',
    [{ mem: 0, memhost: 5 * GiB, maxmem: 8 * GiB }, status({ mem: 3 * GiB })],
    'mem',
    3 * GiB,
  ],
  [
    'the host view where nothing else is known',
    [{ mem: undefined, memhost: 9 * GiB, maxmem: 8 * GiB }],
    'mem',
    8 * GiB,
  ],
])('[facts 1.7] what the hypervisor counts: %s', (_case, [guest, report], source, used) => {
  expect(countedMemory(guest, report)).toEqual({ source, used, trusted: false })
})

test('a running guest that uses 0 is one of which nothing is known', () => {
  expect(countedMemory({ mem: 0, memhost: undefined, maxmem: 8 * GiB })).toBeUndefined()
})

const counted = { used: 6 * GiB, source: 'mem', trusted: false } as const

/** The memory reading for a share that is known at that time. */
const shownBy = (share: MemoryShare | undefined) =>
  guestMemory(counted, share, applyShare(undefined, share, 0), 0)

test.each<[string, MemoryShare | undefined, string, number]>([
  [
    '(a) meminfo.available',
    shareByStatus(status({ meminfo: { available: 5 * GiB, cached: GiB } }), 8 * GiB, counted, 0),
    'available',
    3 * GiB,
  ],
  [
    '(a) is not believed beyond the total',
    shareByStatus(status({ meminfo: { available: 9 * GiB } }), 8 * GiB, counted, 0),
    'mem',
    6 * GiB,
  ],
  [
    '(b) free + buffers + cached',
    shareByStatus(status({ meminfo: { free: GiB, cached: 3 * GiB } }), 8 * GiB, counted, 0),
    'cache',
    4 * GiB,
  ],
  [
    '(b) not by free alone',
    shareByStatus(status({ meminfo: { free: 7 * GiB } }), 8 * GiB, counted, 0),
    'mem',
    6 * GiB,
  ],
  ['(c) the RRD', shareByRrd({ available: 6 * GiB }, 8 * GiB, counted, 0), 'rrd', 2 * GiB],
  ['(d) the agent', shareByAgent({ available: 5 * GiB, total: 7.5 * GiB }, counted, 0), 'agent', 2.5 * GiB],
  ['(e) mem', undefined, 'mem', 6 * GiB],
])('[facts 1.7] guest memory: %s', (_case, share, source, used) => {
  expect(shownBy(share)).toMatchObject({ source, used, trusted: source !== 'mem' })
})

const agent = (used: number, at = 0): MemoryShare => ({
  source: 'agent',
  share: used / 6,
  used: used * GiB,
  at,
})

test('[facts 1.7] a worse source does not replace a better one before that is over', () => {
  const rrd: MemoryShare = { source: 'rrd', share: 0.5, used: 3 * GiB, at: 0 }
  expect(preferShare(undefined, agent(1))).toEqual(agent(1))
  expect(preferShare(rrd, agent(1, minute))).toBe(rrd)
  expect(preferShare(rrd, agent(1, 6 * minute))).toEqual(agent(1, 6 * minute))
  expect(preferShare(agent(1, minute), rrd)).toBe(rrd)
})

test('between two accounts every fresh figure of the hypervisor counts', () => {
  const known = agent(3)
  const applied = applyShare(undefined, known, 0)
  expect(guestMemory({ ...counted, used: 4 * GiB }, known, applied, minute)?.used).toBe(2 * GiB)
  expect(guestMemory(undefined, known, applied, minute)?.used).toBe(3 * GiB)
})

test('whatever is reported, the result lies between nothing and what the hypervisor counts', () => {
  const beyond = shareByAgent({ available: 0, total: 8 * GiB, free: 0 }, { ...counted, used: GiB }, 0)
  const below = shareByAgent({ available: 8 * GiB, total: 8 * GiB, free: 8 * GiB }, counted, 0)
  expect(beyond.share).toBe(1)
  expect(below.share).toBe(0)
  for (const share of [beyond, below]) {
    const used = shownBy(share)!.used
    expect(used).toBeGreaterThanOrEqual(0)
    expect(used).toBeLessThanOrEqual(counted.used)
  }
})

test('with the balloon driver the agent tells to the moment what the hypervisor counts, without it the listing must do', () => {
  const answer = { total: 8 * GiB, free: 1.8 * GiB, available: 6 * GiB }
  expect(shareByAgent(answer, counted, 0).share).toBeCloseTo(2 / 6.2)
  expect(shareByAgent(answer, { ...counted, used: 8 * GiB }, 0).share).toBeCloseTo(2 / 8)
})

test('[facts 6.1.7] an account counts fully for half an hour, then less and less for six hours', () => {
  const known = agent(1)
  expect(weightOf(known, 30 * minute)).toBe(1)
  expect(weightOf(known, hour)).toBeGreaterThan(0.85)
  expect(weightOf(known, 6 * hour)).toBe(0)
  let applied: AppliedShare | undefined
  let last: number | undefined
  for (let at = 0; at <= 7 * hour; at += 10_000) {
    applied = applyShare(applied, known, at)
    const { used } = guestMemory(counted, known, applied, at)!
    if (last !== undefined) expect(Math.abs(used - last)).toBeLessThan(0.001 * 8 * GiB)
    last = used
  }
  expect(guestMemory(counted, known, applied, 7 * hour)).toEqual(counted)
})

test('of an account that differs half is taken over within a minute, without a step', () => {
  let applied = applyShare(undefined, agent(1), 0)
  const shares = [applied!.share]
  for (let at = 10_000; at <= 600_000; at += 10_000) {
    applied = applyShare(applied, agent(3, at - (at % 180_000)), at)
    shares.push(applied!.share)
  }
  expect(Math.max(...shares.slice(1).map((share, index) => share - shares[index]!))).toBeLessThan(0.08)
  expect(shares[7]).toBeGreaterThan((shares[0]! + 0.5) / 2)
  expect(shares.at(-1)).toBe(0.5)
})

test('what a balloon takes was free or cache: the guest uses as much as before', () => {
  const squeezed = { ...counted, used: 4 * GiB }
  expect(afterBalloon(agent(3), squeezed).share).toBe(0.75)
  expect(afterBalloon(agent(3), { ...counted, used: GiB }).share).toBe(1)
})

test.each([
  ['before the first answer', undefined, true, 0, 'agent-pending'],
  ['where no agent will answer', undefined, false, 0, undefined],
  ['while it answers', agent(1), true, 5 * minute, undefined],
  ['when it has been silent for a while', agent(1), true, 40 * minute, 'agent-silent'],
] as const)('a figure says that it is an estimate: %s', (_case, known, awaits, now, expected) => {
  expect(estimateOf(known, awaits, now)).toBe(expected)
})
