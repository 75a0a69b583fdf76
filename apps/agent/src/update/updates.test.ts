import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { aLog } from '../fixtures.ts'
import { BusyServer } from '../deliver/backoff.ts'
import { lookForUpdates } from './updates.ts'

const minute = 60_000

function startUpdates(update: () => Promise<void> = () => Promise.resolve()) {
  const clock = fakeClock()
  const { log, lines } = aLog()
  const world = { isOurs: true, at: [] as number[] }
  lookForUpdates(
    clock,
    log,
    () => 0.5,
    () => world.isOurs,
    () => {
      world.at.push(clock.monotonic() / minute)
      return update()
    },
  )
  return { clock, lines, world }
}

test('[facts 3.7] the first check is some minutes after the start, then once a day', async () => {
  const { clock, world } = startUpdates()
  await clock.advance(3 * 24 * 60 * minute)
  expect(world.at).toEqual([3.5, 3.5 + 24 * 60 + 3.5, 3.5 + 2 * (24 * 60 + 3.5)])
})

test('a server that is not Pulse is not asked, until it is', async () => {
  const { clock, world } = startUpdates()
  world.isOurs = false
  await clock.advance(60 * minute)
  expect(world.at).toEqual([])
  world.isOurs = true
  await clock.advance(10 * minute)
  expect(world.at).toHaveLength(1)
})

test('a failure is logged once, and the update is tried again the next day', async () => {
  const { clock, lines, world } = startUpdates(() => Promise.reject(new Error('no space left')))
  await clock.advance(2 * 24 * 60 * minute)
  expect(world.at).toHaveLength(2)
  expect(lines).toEqual([expect.stringContaining('not updated: no space left')])
})

test('a busy server is asked again with backoff, and nothing is logged meanwhile', async () => {
  let left = 3
  const busy = () =>
    left-- > 0 ? Promise.reject(new BusyServer('http://p.test', 30_000)) : Promise.resolve()
  const { clock, lines, world } = startUpdates(busy)
  await clock.advance(30 * minute)
  expect(world.at).toHaveLength(4)
  const waits = world.at.slice(1).map((at, index) => at - world.at[index]!)
  for (const wait of waits) expect(wait).toBeGreaterThanOrEqual(0.5)
  expect(lines).toEqual([])
  await clock.advance(24 * 60 * minute)
  expect(world.at).toHaveLength(5)
})

test('a server that is always busy is logged once, and asked again the next day', async () => {
  const { clock, lines, world } = startUpdates(() =>
    Promise.reject(new BusyServer('http://p.test', undefined)),
  )
  await clock.advance(20 * 60 * minute)
  expect(lines).toEqual([expect.stringContaining('not updated: http://p.test is busy')])
  const asked = world.at.length
  await clock.advance(36 * 60 * minute)
  expect(world.at.length).toBeGreaterThan(asked)
  expect(world.at.length).toBeLessThanOrEqual(3 * asked)
  expect(lines).toHaveLength(1)
})
