import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

const given = () => {
  const clock = fakeClock()
  return { clock, pace: createPace(clock, { burst: 100, perSecond: 10, keys: 2 }) }
}
const wait = (seconds: string) =>
  expect.objectContaining({ code: 'rate_limit', headers: { 'retry-after': seconds } })

test('so many at once, and so many a second from then on; each key has its own', async () => {
  const { clock, pace } = given()
  pace.take('a', 60)
  pace.take('a', 40)
  expect(() => pace.take('a')).toThrow(wait('1'))
  pace.take('b', 100)
  await clock.advance(2_500)
  pace.take('a', 25)
  expect(() => pace.look('a')).toThrow(wait('1'))
})

test('what is more than was left passes, and is made up for', async () => {
  const { clock, pace } = given()
  pace.take('a', 250)
  expect(() => pace.look('a')).toThrow(wait('16'))
  await clock.advance(15_000)
  expect(() => pace.take('a', 250)).toThrow(wait('1'))
  await clock.advance(1_000)
  pace.take('a', 5)
})

test('what was refused costs nothing', () => {
  const { pace } = given()
  pace.take('a', 100)
  for (let n = 0; n < 5; n++) expect(() => pace.take('a', 20)).toThrow(wait('1'))
})
