import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OldestMail } from './part-queues.ts'
import { queueAges } from './schema.ts'

const minute = 60_000
const bracketOf = (age: number) => {
  const at = queueAges.findIndex((most) => age <= most * minute)
  return at < 0 ? queueAges.length : at
}
const look = (mail: OldestMail, at: number, ages: readonly number[]) => {
  const counts = Array.from({ length: queueAges.length + 1 }, () => 0)
  for (const age of ages) counts[bracketOf(age)]!++
  return mail.look({ ages: counts }, at)
}

test('[facts 2.5] the upper bound of the highest bracket that is not empty', () => {
  expect(look(new OldestMail(), 100 * minute, [3 * minute, 30 * minute])).toBe(60 * minute)
  expect(look(new OldestMail(), 100 * minute, [])).toBeUndefined()
})

test('beyond the last bracket it is at least as old as that begins', () => {
  expect(look(new OldestMail(), 5_000 * minute, [2_000 * minute])).toBe(3_720 * minute)
})

test('while the same mail waits its moment stays put, and is never later than the truth', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 59_000 }), (cameAt) => {
      const mail = new OldestMail()
      let before = -Infinity
      for (let at = minute; at < 1_000 * minute; at += minute) {
        const oldestAt = look(mail, at, [at - cameAt])!
        expect(oldestAt).toBeLessThanOrEqual(cameAt)
        expect(oldestAt).toBeGreaterThanOrEqual(before)
        before = oldestAt
      }
      // A poll at the edge of a bracket gave the time to the minute.
      expect(cameAt - before).toBeLessThanOrEqual(minute)
    }),
    { numRuns: 10 },
  )
})

test('when it has left, the next is measured again', () => {
  const mail = new OldestMail()
  look(mail, 100 * minute, [50 * minute])
  expect(look(mail, 101 * minute, [2 * minute])).toBe(96 * minute)
  look(mail, 102 * minute, [])
  expect(look(mail, 300 * minute, [100 * minute])).toBe(140 * minute)
})
