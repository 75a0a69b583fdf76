import { Session } from 'node:inspector/promises'
import { afterAll, expect, test } from 'vitest'
import { get } from 'node:https'
import { pbsToken } from './appliance/fixtures.ts'
import { aLab } from './fixtures.ts'

const GUESTS = 10_000
const SNAPSHOTS = 50_000
/** code blocks executed per guest when the lab measures and sends everything again */
const MOST_REFRESHED = 200
/** a lower count means that blocks were not counted */
const LEAST_REFRESHED = 20
/** per snapshot that is sent */
const MOST_SNAPSHOT = 40
/** per guest when nothing has to be measured */
const MOST_SERVED = 5

/** Counts work in V8's code blocks, which are equal on every machine. Only code compiled from here on is counted. */
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
  const { ask } = await aLab({ nodes: 100, guests: GUESTS, now: () => nowMs })
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

test('50,000 snapshots in 20 namespaces cost a bounded number of steps each, and those that are not read none', async () => {
  const nowMs = Date.parse('2026-07-01T12:00:00Z')
  const options = { nodes: 1, guests: 300, pbs: 1, backups: SNAPSHOTS, now: () => nowMs }
  const { lab, asker } = await aLab(options)
  const { url, credentials } = lab.pbs[0]!
  const headers = pbsToken(credentials)
  const ask = (path: string) => asker.ask(url, `/admin/datastore/main/${path}`, { headers })
  const namespaces = (await ask('namespace')).data as { ns: string }[]
  let read = 0
  const steps = await stepsOf(async () => {
    for (const { ns } of namespaces) {
      read += ((await ask(`snapshots?ns=${encodeURIComponent(ns)}`)).data as unknown[]).length
    }
  })
  expect(read).toBeGreaterThan(SNAPSHOTS * 0.99)
  console.log(`lab cost in steps for a snapshot: ${steps / read}`)
  expect(steps / read).toBeLessThan(MOST_SNAPSHOT)

  const largest = encodeURIComponent(namespaces.at(-1)!.ns)
  const whole = await stepsOf(() => ask(`snapshots?ns=${largest}`))
  const begun = await stepsOf(() =>
    firstPart(`${url}/api2/json/admin/datastore/main/snapshots?ns=${largest}`, headers),
  )
  expect(begun).toBeLessThan(whole / 2)
})

/** Reads the beginning of an answer, then disconnects. */
function firstPart(url: string, headers: Record<string, string>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const asked = get(url, { headers, rejectUnauthorized: false }, (response) => {
    response.once('data', () => asked.destroy())
    response.once('close', resolve)
    response.on('error', () => undefined)
  })
  asked.on('error', reject)
  return promise
}
