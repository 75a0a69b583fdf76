import { expect, test } from 'vitest'
import { memoryChanges } from './fixtures-change-storage.ts'
import { aNodeWithClock, hour, minute } from './fixtures-notices.ts'

test.each([
  ['forward', 2 * hour],
  ['back', -2 * hour],
])('[M 3.5] a clock that is set %s restarts nothing; a restart after it is one', (_, stepMs) => {
  const { pass, step, collect, sendAll, words } = aNodeWithClock()
  collect(hour)
  step(stepMs)
  // its collector began before the step
  collect(hour + stepMs)
  collect(hour)
  expect(words()).toEqual([])
  pass(5 * hour)
  collect(6 * hour)
  sendAll()
  expect(words()).toEqual([])
  collect(minute)
  expect(words()).toEqual(['restarted'])
})

test('[M 3.5] a source that was silent while the clock was set twice reports both steps at once', () => {
  const { pass, step, collect, words } = aNodeWithClock()
  collect(hour)
  for (const ms of [3 * hour, -hour]) {
    step(ms)
    collect(hour + (ms > 0 ? 3 : 2) * hour)
  }
  pass(hour / 2)
  collect(1.5 * hour)
  expect(words()).toEqual([])
})

test('[M 3.5] a clock that was set while Pulse was off restarts nothing that ran before', () => {
  const storage = memoryChanges()
  const before = aNodeWithClock(storage)
  before.collect(90 * hour)
  before.log.flush()
  const { step, pass, collect, sendAll, words } = aNodeWithClock(storage)
  step(2 * hour)
  collect(90 * hour)
  sendAll()
  expect(words()).toEqual([])
  pass(hour)
  collect(minute)
  expect(words()).toEqual(['restarted'])
})

test('[M 3.5] a restart while Pulse was off is one, and so is one while the source was silent before that', () => {
  for (const [change, upMs] of [
    [{}, hour],
    [{ staleSince: 98 * hour }, 3 * hour],
  ] as const) {
    const storage = memoryChanges()
    const before = aNodeWithClock(storage)
    before.collect(90 * hour, change)
    before.log.flush()
    const { pass, collect, words } = aNodeWithClock(storage)
    pass(2 * hour)
    collect(upMs)
    expect(words()).toEqual(['restarted'])
  }
})

test('[M 3.5] hours after a step of the clock, a restart of the same distance is one', () => {
  const { pass, step, collect, words } = aNodeWithClock()
  collect(hour)
  step(2 * hour)
  collect(hour)
  expect(words()).toEqual([])
  pass(2 * hour)
  collect(hour)
  expect(words()).toEqual(['restarted'])
})
