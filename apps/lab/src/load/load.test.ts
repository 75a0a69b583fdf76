import { expect, test } from 'vitest'
import { aLab, guestsIn } from '../fixtures.ts'
import { ratedSeconds } from './curve.ts'

const noon = Date.parse('2026-07-01T12:00:00Z')
const counters = ['netin', 'netout', 'diskread', 'diskwrite'] as const

test('counters and uptimes only grow while a guest runs', async () => {
  let nowMs = noon
  const { ask } = await aLab({ now: () => nowMs, loadPeriodMs: 0 })
  let before = guestsIn(await ask('/cluster/resources?type=vm'))
  for (let step = 0; step < 40; step++) {
    nowMs += 7919
    const after = guestsIn(await ask('/cluster/resources?type=vm'))
    for (const [vmid, guest] of after) {
      for (const counter of [...counters, 'uptime'] as const) {
        expect(Number(guest[counter])).toBeGreaterThanOrEqual(Number(before.get(vmid)![counter]))
      }
    }
    before = after
  }
})

test.each([true, false])('a rate is never negative (quiet: %s)', (quiet) => {
  for (let at = 0; at < 200_000; at += 997) {
    expect(ratedSeconds(0, at + 100, quiet, 1.7)).toBeGreaterThan(ratedSeconds(0, at, quiet, 1.7))
  }
})

test('about 60 % of the guests change noticeably from one refresh to the next', async () => {
  let nowMs = noon
  const { ask } = await aLab({ guests: 1000, nodes: 10, now: () => nowMs })
  const shares: number[] = []
  let last = guestsIn(await ask('/cluster/resources?type=vm'))
  for (let refresh = 0; refresh < 5; refresh++) {
    nowMs += 10_000
    const next = guestsIn(await ask('/cluster/resources?type=vm'))
    const changed = [...next].filter(([vmid, guest]) => isNoticeable(last.get(vmid)!, guest))
    shares.push(changed.length / next.size)
    last = next
  }
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
  expect(mean).toBeGreaterThan(0.5)
  expect(mean).toBeLessThan(0.7)
})

/** In the resolution of a display: 0.1 % of the CPU, 0.1 % of memory. */
function isNoticeable(before: Record<string, unknown>, after: Record<string, unknown>): boolean {
  const cpu = (guest: Record<string, unknown>) => Math.round(Number(guest.cpu) * 1000)
  const memory = (guest: Record<string, unknown>) =>
    Math.round((Number(guest.mem) / Number(guest.maxmem)) * 1000)
  return cpu(before) !== cpu(after) || memory(before) !== memory(after)
}

test('figures stay until the next refresh', async () => {
  let nowMs = noon
  const { ask } = await aLab({ now: () => nowMs })
  const first = await ask('/cluster/resources')
  nowMs += 9999
  expect((await ask('/cluster/resources')).body).toBe(first.body)
  nowMs += 1
  expect((await ask('/cluster/resources')).body).not.toBe(first.body)
})

test('processor figures are fractions, memory may exceed its limit only as the host sees it', async () => {
  const { ask } = await aLab({ guests: 600, nodes: 6 })
  const guests = [...guestsIn(await ask('/cluster/resources')).values()]
  for (const guest of guests) {
    expect(Number(guest.cpu)).toBeGreaterThanOrEqual(0)
    expect(Number(guest.cpu)).toBeLessThanOrEqual(1)
  }
  const over = guests.filter(({ mem, maxmem }) => Number(mem) > Number(maxmem))
  expect(over.length).toBeGreaterThan(0)
  expect(over.every(({ mem, memhost }) => mem === memhost)).toBe(true)
})

test('a site has the usual mix', async () => {
  const { lab, ask } = await aLab({ guests: 600, nodes: 6 })
  const guests = [...guestsIn(await ask('/cluster/resources')).values()]
  const share = (test: (guest: Record<string, unknown>) => boolean) =>
    guests.filter(test).length / guests.length
  expect(share(({ type }) => type === 'qemu')).toBeCloseTo(2 / 3, 1)
  expect(share(({ status }) => status === 'stopped')).toBeGreaterThan(0.08)
  expect(share(({ uptime }) => Number(uptime) > 0 && Number(uptime) < 3600)).toBeGreaterThan(0.01)
  expect(share(({ lock }) => lock !== undefined)).toBeGreaterThan(0)
  expect(new Set(lab.control.guests().map(({ os }) => os)).size).toBeGreaterThan(6)
  expect(new Set(lab.control.guests().map(({ agent }) => agent)).size).toBe(5)
})
