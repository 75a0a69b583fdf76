import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { guardedClock } from './guarded-clock.ts'

test('a timer that throws is reported; the ones behind it run, and a cancelled one does not', async () => {
  const clock = fakeClock()
  const errors: unknown[] = []
  const ran: number[] = []
  const guarded = guardedClock(clock, (error) => errors.push(error))
  guarded.after(10, () => {
    throw new Error('boom')
  })
  guarded.after(10, () => ran.push(1))
  guarded.after(10, () => ran.push(2))()
  await clock.advance(10)
  expect(errors).toEqual([new Error('boom')])
  expect(ran).toEqual([1])
  expect([guarded.now(), guarded.monotonic()]).toEqual([clock.now(), clock.monotonic()])
})
