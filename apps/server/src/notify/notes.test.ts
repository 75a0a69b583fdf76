import { afterEach, beforeEach, expect, test } from 'vitest'
import { HOUR_MS } from '../auth/fixtures.ts'
import { aPipeline, type TestPipeline } from './fixtures.ts'

let given: TestPipeline
beforeEach(async () => {
  given = await aPipeline()
})
afterEach(() => given.end())

async function passHours(hours: number) {
  for (let hour = 0; hour < hours; hour++) {
    await given.ground.clock.advance(HOUR_MS)
    await given.settled()
  }
}
const said = (id: string) => given.pipeline.explain(id).map(({ text }) => text)

test('[R18] notes are forgotten a day after their alert was resolved, and kept while it fires', async () => {
  given.channel('hook')
  const over = given.raise('over')
  given.raise('lasting')
  await given.pass(2_000)
  given.resolve(over)
  await given.pass(2_000)
  await passHours(22)
  expect(said('over')).not.toEqual([])
  // the database may finish the previous hour at any time
  const later = async () => {
    await passHours(1)
    return said('over')
  }
  await expect.poll(later).toEqual([])
  expect(said('lasting')).not.toEqual([])
})
