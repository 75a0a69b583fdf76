import { expect, onTestFinished, test } from 'vitest'
import { acceleratedClock, type Passing } from './clock.ts'

function given(factor = 1_000) {
  let passing: Passing = 'stands'
  let asked = 0
  const clock = acceleratedClock(factor, 0, () => {
    asked++
    return passing
  })
  return { clock, asked: () => asked, pass: (how: Passing) => void (passing = how) }
}

test('while a timer is set, time that stands stays where it is', async () => {
  const { clock, asked } = given()
  onTestFinished(clock.after(1, () => {}))
  const before = [clock.now(), clock.monotonic()]
  await expect.poll(asked).toBeGreaterThan(3)
  expect([clock.now(), clock.monotonic()]).toEqual(before)
})

test('every timer runs at its own moment, those that others set included, and at no other', async () => {
  const { clock, pass } = given()
  const ran: number[] = []
  onTestFinished(clock.after(1e9, () => {}))
  const start = clock.monotonic()
  const at = (ms: number, then = () => {}) =>
    clock.after(ms, () => {
      ran.push(clock.monotonic() - start)
      then()
    })
  at(700)
  at(0.4)
  at(350, () => at(10))
  const cancel = at(400)
  at(390, cancel)
  pass('flows')
  await expect.poll(() => ran.length, { interval: 1 }).toBe(5)
  expect(ran).toEqual([1, 350, 360, 390, 700])
})

test('it leaps from one to the next, and nowhere when there is none', async () => {
  const { clock, pass, asked } = given(0)
  const ran: number[] = []
  for (const ms of [86_400_000, 5, 86_400_000]) clock.after(ms, () => ran.push(clock.monotonic()))
  clock.after(100, () => {})()
  pass('leaps')
  await expect.poll(() => ran, { interval: 1 }).toEqual([5, 86_400_000, 86_400_000])
  const before = asked()
  await expect.poll(asked, { interval: 1 }).toBeGreaterThan(before)
  expect(clock.monotonic()).toBe(86_400_000)
})

test('what keeps the thread busy for long counts as three milliseconds', async () => {
  const { clock, pass, asked } = given()
  onTestFinished(clock.after(1e9, () => {}))
  pass('flows')
  await expect.poll(asked, { interval: 1 }).toBeGreaterThan(0)
  const [before, askedBefore] = [clock.monotonic(), asked()]
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  expect(clock.monotonic()).toBe(before)
  await expect.poll(asked, { interval: 1 }).toBeGreaterThan(askedBefore)
  expect(clock.monotonic() - before).toBeLessThanOrEqual(3_000 * (asked() - askedBefore))
})
