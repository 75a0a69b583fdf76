import { type HistorySeries, type HistoryTrends, type PlainState, trendPoints } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectCluster } from './fixtures-cluster.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { within } from '../../../../scripts/test-limits.ts'

const { minutes, levels, none } = trendPoints
const minuteMs = 60_000

let lab: Lab
let server: TestServer
const clock = acceleratedClock(20, Date.now())
const read = async (path: string) => (await server.call('GET', path)).body
const trends = async (kind: string, fields: string) =>
  (await read(`/api/history/trends?kind=${kind}&fields=${fields}`)) as HistoryTrends
const until = (look: () => Promise<void>) => vi.waitFor(look, { timeout: within(120_000), interval: 100 })

beforeAll(async () => {
  lab = await startLab({ nodes: 1, guests: 4, authDelayMs: 0, loadPeriodMs: 10_000 })
  server = await startTestServer(clock)
  await connectCluster(server, lab, { monitorStorage: true })
  await until(async () => {
    const { fields } = await trends('nodes', 'cpu')
    expect(known(fields['cpu']!.points).length).toBeGreaterThanOrEqual(3)
  })
})
afterAll(async () => {
  await server.stop()
  await lab.close()
})

/** The minutes with a sample. */
const known = (points: string) => [...points].flatMap((one, minute) => (one === none ? [] : [minute]))

test('[M 3.2] every shown thing of the kind has its last hour, and nothing else', async () => {
  const state = (await read('/api/state')) as PlainState
  const [connection] = (await read('/api/config/nodes')) as { id: string }[]
  const vmids = [...state.vms, ...state.containers].map(({ vmid }) => `${connection!.id}:${vmid}`)
  const { ids, fields } = await trends('guests', 'cpu,memory,networkIn')
  expect(ids.toSorted()).toEqual(vmids.toSorted())
  for (const { points, tops } of Object.values(fields)) {
    expect(points).toHaveLength(ids.length * minutes)
    expect(tops).toHaveLength(ids.length)
  }
  expect(fields['cpu']!.tops).toEqual(ids.map(() => 1))
  expect((await trends('storage', 'usage')).ids).toHaveLength(state.storage.length)
})

test('[M 3.2] a level is the mean that the series of the same minute has', async () => {
  await until(async () => {
    const answer = await trends('guests', 'cpu')
    const row = answer.ids.findIndex((_, n) => known(pointsOf(answer, n)).length >= 2)
    const [minute] = known(pointsOf(answer, row))
    const at = answer.from + minute! * minuteMs
    const query = { kind: 'guests', ids: answer.ids[row]!, fields: 'cpu', from: at, to: at + minuteMs }
    const { series } = (await read(
      `/api/history/series?${new URLSearchParams(query as unknown as Record<string, string>)}`,
    )) as { series: HistorySeries[] }
    const { points } = series[0]!
    const mean = points.reduce((sum, one) => sum + one.mean, 0) / points.length
    const level = levels.indexOf(pointsOf(answer, row)[minute!]!)
    const highest = levels.length - 1
    expect(Math.abs(level / highest - mean)).toBeLessThanOrEqual(0.5 / highest + 0.001)
  })
})

const pointsOf = ({ fields }: HistoryTrends, row: number) =>
  fields['cpu']!.points.slice(row * minutes, (row + 1) * minutes)

test('[M 3.2] a guest that was stopped has a gap, not zeros', async () => {
  const [connection] = (await read('/api/config/nodes')) as { id: string }[]
  const stopped = `${connection!.id}:${lab.control.guest(100).vmid}`
  lab.control.patchGuest(100, { status: 'stopped' })
  const from = clock.now()
  await until(async () => {
    expect(clock.now()).toBeGreaterThan(from + 3 * minuteMs)
    const answer = await trends('guests', 'cpu')
    expect(pointsOf(answer, answer.ids.indexOf(stopped)).at(-2)).toBe(none)
    const others = answer.ids.map((_, row) => pointsOf(answer, row).at(-2))
    expect(others.some((one) => one !== none)).toBe(true)
  })
})

test.each([
  ['kind=guests&fields=colour', 'fields: guests have no history of "colour".'],
  ['kind=guests&fields=cpu,memory,disk,diskRead,diskWrite', 'fields'],
  ['kind=nothing&fields=cpu', 'kind'],
  ['kind=guests', 'fields'],
])('[M 3.2] a question that makes no sense is refused: %s', async (query, text) => {
  const { status, body } = await server.call('GET', `/api/history/trends?${query}`)
  expect(status).toBe(400)
  expect((body as { error: string }).error).toContain(text)
})

test('[M 3.2] without permission to read there is no answer', async () => {
  const { status } = await server.as({})('GET', '/api/history/trends?kind=guests&fields=cpu')
  expect(status).toBe(401)
})

test('[M 3.2] what is not shown any more has no trend, although its history is kept', async () => {
  const [connection] = (await read('/api/config/nodes')) as { id: string }[]
  expect((await server.call('DELETE', `/api/config/nodes/${connection!.id}`)).status).toBe(200)
  await until(async () => expect((await trends('guests', 'cpu')).ids).toEqual([]))
})
