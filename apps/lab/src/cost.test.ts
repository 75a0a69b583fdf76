import { Session } from 'node:inspector/promises'
import { afterAll, expect, test } from 'vitest'
import { givenLab } from './given.ts'

const GUESTS = 10_000
/** blocks of the lab's code that are entered for a guest when everything is measured anew and sent */
const MOST_REFRESHED = 200
/** fewer, and blocks were not counted */
const LEAST_REFRESHED = 20
/** and when nothing has to be measured */
const MOST_SERVED = 5

/** Work as the engine counts it, the same on every machine; it counts blocks of what is compiled from here on. */
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
afterAll(() => session.disconnect())

async function stepsOf(run: () => Promise<unknown>): Promise<number> {
  await session.post('Profiler.takePreciseCoverage')
  await run()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url }) => url.includes('/apps/lab/src/') && !url.includes('.test.'))
    .flatMap(({ functions }) => functions)
    .flatMap(({ ranges }) => ranges)
    .reduce((sum, { count }) => sum + count, 0)
}

test('10,000 guests on 100 nodes cost a bounded number of steps each to refresh and serve', async () => {
  let nowMs = Date.parse('2026-07-01T12:00:00Z')
  const { ask } = await givenLab({ nodes: 100, guests: GUESTS, now: () => nowMs })
  await ask('/cluster/resources')
  const refreshed: number[] = []
  const served: number[] = []
  for (let refresh = 0; refresh < 3; refresh++) {
    nowMs += 10_000
    refreshed.push((await stepsOf(() => ask('/cluster/resources'))) / GUESTS)
    served.push((await stepsOf(() => ask('/cluster/resources'))) / GUESTS)
  }
  console.log(`lab cost in steps for a guest: refreshed ${refreshed.join(', ')}, served ${served.join(', ')}`)
  expect(Math.min(...refreshed)).toBeGreaterThan(LEAST_REFRESHED)
  expect(Math.max(...refreshed)).toBeLessThan(MOST_REFRESHED)
  expect(Math.max(...served)).toBeLessThan(MOST_SERVED)
})
