import { aGuest } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { dayMs, anEngine, hourMs, minuteMs, pollMs, settings } from '../fixtures.ts'

const OFF = 'guest-powered-off-main:100'
const config = settings({ timeThresholds: { guest: 0, node: 0, storage: 0, pbs: 0 } })
const lockedFor = (hours: number) => ({
  guests: [aGuest({ status: 'stopped', lock: 'backup', tags: `${hours} hours` })],
})
const locked = lockedFor(0)

/** Locked and powered off since now; the lock holds the alert for a day. */
function doubted(before = (_all: ReturnType<typeof anEngine>) => {}) {
  const all = anEngine(config)
  all.tell('main', { guests: [aGuest()] })
  before(all)
  all.tell('main', locked)
  return all
}
/** Answers arrive every hour, each with a change. */
function lasts(all: ReturnType<typeof anEngine>, hours: number) {
  for (let hour = 0; hour < hours; hour++) {
    all.pass(hourMs - pollMs)
    all.poll('main', lockedFor(hour))
  }
  return all.open()
}
const confirmed = (all: ReturnType<typeof anEngine>) => {
  for (let round = 0; round < 3; round++) all.poll('main', locked)
  return all.open()
}

test('a doubt lasts a day', () => {
  const all = doubted()
  expect(lasts(all, 23)).toEqual([])
  lasts(all, 1)
  expect(confirmed(all)).toEqual([OFF])
})

test('[design 13] a clock that is set forward by days does not shorten a doubt, also once the step is followed', () => {
  const all = doubted((now) => {
    now.step(3 * dayMs)
    now.poll('main', { guests: [aGuest()] })
    now.pass(23 * hourMs)
  })
  expect(lasts(all, 23)).toEqual([])
  lasts(all, 1)
  expect(confirmed(all)).toEqual([OFF])
})

test.each([3 * dayMs, -3 * dayMs])(
  'a clock that is set by %d ms over a restart moves its end by no more than an hour',
  (ms) => {
    const all = doubted()
    expect(lasts(all, 5)).toEqual([])
    const kept = all.engine.snapshot(all.moment())
    all.step(ms)
    all.restart(2 * minuteMs, kept).look()
    expect(lasts(all, 17)).toEqual([])
    lasts(all, 2)
    expect(confirmed(all)).toEqual([OFF])
  },
)

test('downtime counts for an hour at most, so that restarts do not prolong a doubt endlessly', () => {
  const all = doubted()
  for (let start = 0; start < 24; start++) {
    expect(all.open()).toEqual([])
    all.restart(58 * minuteMs).look()
    all.pass(2 * minuteMs)
    all.poll('main', locked)
  }
  expect(confirmed(all)).toEqual([OFF])
})

test('a doubt stored by an older version starts again', () => {
  const all = doubted()
  const kept = all.engine.snapshot(all.moment())
  const older = {
    ...kept,
    memory: {
      ...kept.memory,
      runtime: undefined,
      rules: { 'guests main:100': { 'locked since': all.moment().now } },
    },
  }
  all.restart(minuteMs, older).look()
  expect(lasts(all, 23)).toEqual([])
  lasts(all, 1)
  expect(confirmed(all)).toEqual([OFF])
})
