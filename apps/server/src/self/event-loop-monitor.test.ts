import { expect, test } from 'vitest'
import { type EventLoopMonitor, monitorEventLoop } from './event-loop-monitor.ts'

/** A simulated event loop that works and idles for the given times. */
function aLoop() {
  let now = 1_234
  let idle = 77
  let turn = () => {}
  const loop: EventLoopMonitor = monitorEventLoop({
    now: () => now,
    idleMs: () => idle,
    each: (run) => {
      turn = run
      return () => (turn = () => {})
    },
  })
  return {
    loop,
    pass(busyMs: number, idleMs: number) {
      now += busyMs + idleMs
      idle += idleMs
      turn()
    },
  }
}

test('one block of 120 ms in a minute is reported, however many short turns are beside it', () => {
  const { loop, pass } = aLoop()
  for (let n = 0; n < 2_000; n++) pass(2, 18)
  pass(120, 0)
  expect(loop.figures().longestBlockMs).toBeCloseTo(120)
})

test('what is over for a minute is not reported any more', () => {
  const { loop, pass } = aLoop()
  pass(120, 0)
  for (let n = 0; n < 49; n++) pass(0, 1_000)
  expect(loop.figures().longestBlockMs).toBeCloseTo(120)
  for (let n = 0; n < 15; n++) pass(0, 1_000)
  expect(loop.figures()).toEqual({ longestBlockMs: 0, waitP99Ms: 0 })
})

test('the wait is weighted by time: one second of ten is a tenth of all moments, not one turn of many', () => {
  const { loop, pass } = aLoop()
  for (let n = 0; n < 4_500; n++) pass(0.1, 1.9)
  pass(1_000, 0)
  // In ten seconds, 100 ms may wait longer: the first 100 ms of the block.
  expect(loop.figures().waitP99Ms).toBeCloseTo(900, 0)
})

test('blocks of many lengths: the wait that one moment of a hundred exceeds', () => {
  const { loop, pass } = aLoop()
  for (let n = 0; n < 90; n++) pass(20, 80)
  for (let n = 0; n < 10; n++) pass(40, 60)
  // 10 × (40 - w) = 100 of 10,000 ms
  expect(loop.figures().waitP99Ms).toBeCloseTo(30, 0)
})

test('nothing is reported of a loop that was hardly ever busy', () => {
  const { loop, pass } = aLoop()
  for (let n = 0; n < 100; n++) pass(1.5, 998.5)
  expect(loop.figures().waitP99Ms).toBe(0)
})

test('of the loop that runs here: a block is seen, and nothing wakes it', async () => {
  const loop = monitorEventLoop()
  await new Promise((resolve) => setImmediate(resolve))
  const until = performance.now() + 30
  while (performance.now() < until);
  await new Promise((resolve) => setTimeout(resolve, 1))
  await new Promise((resolve) => setImmediate(resolve))
  expect(loop.figures().longestBlockMs).toBeGreaterThanOrEqual(29)
  loop.stop()
})
