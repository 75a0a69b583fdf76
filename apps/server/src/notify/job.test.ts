import type { DeliveryRow } from '../db/schema.ts'
import { expect, test } from 'vitest'
import { jobOf } from './job.ts'

const noon = Date.UTC(2026, 0, 1, 12)
const hour = 3_600_000
/** ms that a stored message waits for its next attempt in a process that starts at noon */
const waits = (change: Partial<DeliveryRow>) => {
  const row = {
    items: '[]',
    sources: '[]',
    log: '[]',
    attempts: 0,
    state: 'waiting',
    ...change,
  } as DeliveryRow
  return jobOf(row, { now: noon, monotonic: 0 }).nextAt
}

test('a stored message is due at once if it was not sent yet, or was just being sent', () => {
  for (const at of [noon, noon - hour, noon + hour]) {
    expect(waits({ created_at: at, updated_at: at, next_attempt_at: at })).toBe(0)
    const sending = { state: 'sending', attempts: 1, created_at: at, updated_at: at + 5, next_attempt_at: at }
    expect(waits(sending)).toBe(0)
  }
})

test.each([
  ['the rest of it', noon - 4_000, 6_000],
  ['nothing after it', noon - hour, 0],
  ['all of it, if the process that stored it had its clock an hour ahead', noon + hour, 10_000],
])('[R20] of a pause before another attempt it waits %s', (_what, failedAt, ms) => {
  expect(waits({ attempts: 2, updated_at: failedAt, next_attempt_at: failedAt + 10_000 })).toBe(ms)
})

test('[R20] of a pause of an hour it waits a minute after a start', () => {
  expect(waits({ attempts: 9, updated_at: noon, next_attempt_at: noon + hour })).toBe(60_000)
})
