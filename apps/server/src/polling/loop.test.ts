import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { startLoop, type LoopPlan } from './loop.ts'

const sleep = (clock: ReturnType<typeof fakeClock>, ms: number) =>
  new Promise<void>((resolve) => void clock.after(ms, resolve))

/** A loop with an interval of 10 s. `starts` has the seconds from the beginning to each start. */
function given(change: Partial<LoopPlan> = {}) {
  const clock = fakeClock(0)
  const starts: number[] = []
  const logged: unknown[] = []
  const { run = async () => {}, ...rest } = change
  const loop = startLoop({
    clock,
    log: { error: (line: unknown) => void logged.push(line) },
    intervalMs: 10_000,
    deadlineMs: 60_000,
    run: (signal, deadline) => {
      starts.push(clock.monotonic() / 1000)
      return run(signal, deadline)
    },
    ...rest,
  })
  return { clock, starts, logged, loop }
}

test('the rhythm stays steady although every run takes time', async () => {
  const { clock, starts } = given({ run: () => sleep(clock, 3_000) })
  await clock.advance(35_000)
  expect(starts).toEqual([0, 10, 20, 30])
})

test('[facts 6.3.19] runs never overlap: one that is late starts the next at once, without catching up', async () => {
  let inFlight = 0
  let most = 0
  const { clock, starts } = given({
    async run() {
      most = Math.max(most, ++inFlight)
      await sleep(clock, 25_000)
      inFlight--
    },
  })
  await clock.advance(80_000)
  expect(most).toBe(1)
  expect(starts).toEqual([0, 25, 50, 75])
})

test('a failed run is repeated after a backoff that grows, and a success ends it', async () => {
  let failing = true
  const { clock, starts } = given({
    run: () => (failing ? Promise.reject(new Error('down')) : Promise.resolve()),
    failed: (_error, failures) => failures * 1_000,
  })
  await clock.advance(6_500)
  expect(starts).toEqual([0, 1, 3, 6])
  failing = false
  await clock.advance(15_000)
  expect(starts).toEqual([0, 1, 3, 6, 10, 20])
})

test('without advice of its own a failure pauses 5 s, then 10 s, within 20 %', async () => {
  const { clock, starts } = given({ run: () => Promise.reject(new Error('down')) })
  await clock.advance(20_000)
  expect(starts.length).toBe(3)
  expect(starts[1]).toBeGreaterThanOrEqual(4)
  expect(starts[1]).toBeLessThanOrEqual(6)
})

test('the deadline ends a run', async () => {
  const { clock, starts } = given({
    deadlineMs: 15_000,
    run: (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('late')))),
    failed: () => 1_000,
  })
  await clock.advance(17_000)
  expect(starts).toEqual([0, 16])
})

test('what is held back is asked again after that time, and keeps its rhythm', async () => {
  const holds = [0, 4_000, 0, 0]
  const { clock, starts } = given({ hold: () => holds.shift() ?? 0 })
  await clock.advance(25_000)
  expect(starts).toEqual([0, 14, 20])
})

test('refresh starts it at once, or once more after the run under way', async () => {
  const { clock, starts, loop } = given({ run: () => sleep(clock, 2_000) })
  await clock.advance(5_000)
  loop.refresh()
  await clock.advance(1_000)
  loop.refresh()
  await clock.advance(10_000)
  expect(starts).toEqual([0, 5, 7])
})

test('stop ends the run under way, and nothing starts again', async () => {
  let ended = false
  const { clock, starts, loop } = given({
    run: (signal) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          ended = true
          resolve()
        }),
      ),
  })
  await clock.advance(1_000)
  await loop.stop()
  expect(ended).toBe(true)
  await clock.advance(60_000)
  expect([starts, clock.pending()]).toEqual([[0], 0])
})

test.each([
  ['forward an hour', 3_600_000],
  ['back an hour', -3_600_000],
  ['forward three days', 3 * 86_400_000],
  ['back three days', -3 * 86_400_000],
])('[R20] the wall clock is set %s: the rhythm does not notice', async (_how, step) => {
  const { clock, starts } = given()
  await clock.advance(15_000)
  clock.step(step)
  await clock.advance(30_000)
  expect(starts).toEqual([0, 10, 20, 30, 40])
})

test('[R20] the machine sleeps for a day: one run follows at once, without catching up', async () => {
  const { clock, starts } = given()
  await clock.advance(15_000)
  clock.suspend(86_400_000)
  await clock.advance(25_000)
  expect(starts.map((second) => second % 86_400)).toEqual([0, 10, 15, 25, 35])
})

test.each<[string, Partial<LoopPlan>]>([
  ['what holds it back', { hold: thrower() }],
  ['its rhythm', { intervalMs: thrower(10_000) }],
  ['the report of a failure', { run: () => Promise.reject(new Error('down')), failed: thrower(1_000) }],
])('an exception in %s ends no loop, and is logged', async (_where, change) => {
  const { clock, starts, logged } = given(change)
  await clock.advance(40_000)
  expect(starts.length).toBeGreaterThanOrEqual(3)
  expect(logged.length).toBeGreaterThan(0)
})

/** Throws at every second call, beginning with the first. */
function thrower(otherwise = 0) {
  let count = 0
  return () => {
    if (count++ % 2 === 0) throw new Error('a defect')
    return otherwise
  }
}

test('the deadline of a run does not count what it waits outside of it', async () => {
  const aborted: number[] = []
  const { clock } = given({
    intervalMs: 1_000_000,
    deadlineMs: 25_000,
    async run(signal, deadline) {
      signal.addEventListener('abort', () => aborted.push(clock.monotonic() / 1000))
      for (let n = 0; n < 2; n++) {
        await sleep(clock, 10_000)
        await deadline.outside(() => sleep(clock, 60_000))
      }
      await sleep(clock, 10_000)
    },
  })
  await clock.advance(140_000)
  expect(aborted).toEqual([])
  await clock.advance(60_000)
  expect(aborted).toEqual([145])
})

test('a run that ended in time has no deadline left, whatever it waited for', async () => {
  let signal: AbortSignal | undefined
  const { clock } = given({
    intervalMs: 1_000_000,
    deadlineMs: 25_000,
    async run(given, deadline) {
      signal = given
      await deadline.outside(() => sleep(clock, 60_000))
    },
  })
  await clock.advance(200_000)
  expect(signal!.aborted).toBe(false)
})
