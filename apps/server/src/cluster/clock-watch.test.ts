import { fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createTroubles } from '../troubles/troubles.ts'
import { watchClock } from './clock-watch.ts'

const dayMs = 86_400_000

test('[N 6] a process whose clock is not that of the database says by how much, until it is right again', async () => {
  const clock = fakeClock()
  const troubles = createTroubles(clock, pino({ level: 'silent' }))
  let aheadMs: number | undefined
  const watch = watchClock({ clock, aheadMs: () => aheadMs, troubles, onFault: () => {} })
  const shown = async (ms: number | undefined) => {
    aheadMs = ms
    await clock.advance(20_000)
    return troubles.list().filter(({ current }) => current)
  }
  const clockIs = (difference: string, count: number) => [
    {
      message: `The clock of this process is ${difference} that of the database. Set both by NTP: times are wrong meanwhile, and samples may be lost.`,
      count,
    },
  ]
  expect(await shown(undefined)).toEqual([])
  expect(await shown(59_999)).toEqual([])
  expect(await shown(3 * dayMs)).toMatchObject(clockIs('3d 0h ahead of', 1))
  // the difference is measured again and again
  expect(await shown(3 * dayMs + 700)).toMatchObject(clockIs('3d 0h ahead of', 1))
  expect(await shown(-3_600_000)).toMatchObject(clockIs('1h 0m behind', 2))
  // a clock that drifts is at the limit for hours, and each measurement differs by some milliseconds
  expect(await shown(-59_999)).toMatchObject(clockIs('59s behind', 3))
  expect(await shown(-60_001)).toMatchObject(clockIs('59s behind', 3))
  expect(await shown(-500)).toEqual([])
  expect(troubles.list()).toMatchObject([{ message: expect.stringContaining('It is right again.') }])
  watch.stop()
})
