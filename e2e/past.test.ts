import { expect, test } from 'vitest'
import { pastClock } from './past.ts'

/** Timers of a millisecond, one after the other. */
async function ticks(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise((resolve) => setTimeout(resolve, 1))
}

test('a server that takes long to start on a busy machine does not use its past up before it begins', async () => {
  const { clock, release } = pastClock({ parts: [{ minutesAgo: 40, minutes: 10 }] })
  const beginsAt = clock.now()
  const cancel = clock.after(3_600_000, () => {})
  await ticks(600)
  expect(clock.now() - beginsAt).toBeLessThan(60_000)
  cancel()
  release()
})
