import {
  alertDefaults,
  type HistoryChange,
  type HistorySeries,
  type HistoryTrends,
  type PastState,
} from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { aContainer, aReport } from '../docker/fixtures.ts'
import { addToken } from '../testing/people.ts'
import { connectCluster } from './fixtures-cluster.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'
import { within } from '../../../../scripts/test-limits.ts'

/** Real names: of a connection, a guest and a container. The container's is a part of its id. */
const site = 'pve1.rechenzentrum.musterstadt.de'
const shop = 'shop.rechenzentrum.musterstadt.de'
const cache = 'cache.rechenzentrum.musterstadt.de'

let lab: Lab
let server: TestServer
let from: number
/** the container's id, which callers do not have */
let realId: string
const clock = acceleratedClock(20, Date.now())
const until = (look: () => Promise<void>) => vi.waitFor(look, { timeout: within(120_000), interval: 100 })
const ask = async (path: string, query: Record<string, string | number> = {}) => {
  const { status, text, body } = await server.as({})(
    'GET',
    `${path}?${new URLSearchParams(query as Record<string, string>)}`,
  )
  expect([path, status, text]).toEqual([
    path,
    200,
    expect.not.stringMatching(/musterstadt|rechenzentrum|127\.\d/),
  ])
  return body
}
const span = () => ({ from, to: clock.now() + 60_000 })
const changes = async (query: Record<string, string | number> = {}) =>
  ((await ask('/api/history/changes', { ...span(), ...query })) as { changes: HistoryChange[] }).changes

beforeAll(async () => {
  lab = await startLab({ nodes: 1, guests: 3, authDelayMs: 0, loadPeriodMs: 10_000 })
  server = await startTestServer(clock)
  from = clock.now()
  await connectCluster(server, lab, { name: site, monitorStorage: true })
  const agent = (await addToken(server.call, { scopes: ['docker:report'], oneHost: true })).headers
  const report = (state: string) =>
    server.as(agent)(
      'POST',
      '/api/agents/docker/report',
      aReport({ id: 'dock1', containers: [aContainer({ name: cache, state })] }),
    )
  expect((await report('running')).status).toBe(200)
  const known = async (text: string) => {
    const query = new URLSearchParams({ from: String(from), to: String(clock.now() + 60_000) })
    expect((await server.call('GET', `/api/history/changes?${query}`)).text).toContain(text)
  }
  const seen = async () => expect((await server.call('GET', '/api/state')).text).toContain('"vmid":101')
  await until(seen)
  await until(async () => {
    const { text } = await server.call('GET', '/api/history/trends?kind=dockerContainers&fields=memoryUsed')
    const { ids, fields } = JSON.parse(text) as HistoryTrends
    expect(fields['memoryUsed']!.points).toMatch(/[^~]/)
    realId = ids[0]!
  })
  expect(realId).toContain(cache)
  await until(async () => {
    const { body } = await server.call('GET', `/api/history/state?at=${clock.now()}`)
    const { index } = (body as PastState).frame
    expect([index['dockerContainers']?.length, index['guests']?.length]).toEqual([1, 3])
  })
  lab.control.patchGuest(101, { name: shop })
  expect((await report('exited')).status).toBe(200)
  await until(() => known(shop))
  await until(() => known(cache))
  await server.restart({ API_TOKENS: adminToken, DEMO_MODE: 'true' })
  expect((await report('exited')).status).toBe(200)
  await until(async () => expect((await changes()).length).toBeGreaterThanOrEqual(2))
})
afterAll(async () => {
  await server.stop()
  await lab.close()
})

test('[M 2] changes have masked names, and the ids that callers have', async () => {
  const all = await changes()
  const host = expect.stringMatching(/^host-[0-9a-f]{6}\.example$/)
  const renamed = all.find(({ what }) => what === 'renamed')!
  expect(renamed).toMatchObject({ kind: 'guests', vmid: 101, name: host, to: host })
  const stopped = all.find(({ kind, what }) => kind === 'dockerContainers' && what === 'stopped')!
  expect(stopped).toMatchObject({ id: expect.stringMatching(/^id-[0-9a-f]{16}$/), name: host })
  expect(await changes({ kind: 'dockerContainers', id: stopped.id })).toContainEqual(stopped)
  expect(await changes({ kind: 'dockerContainers', id: realId }), 'names cannot be tried').toEqual([])
})

test('[M 2] the estate of then is masked', async () => {
  const { frame } = (await ask('/api/history/state', { at: clock.now() })) as PastState
  const names = frame.state['guests']!.map(({ name }) => name)
  expect(names).toContainEqual(expect.stringMatching(/^host-[0-9a-f]{6}\.example$/))
  expect(frame.index['dockerContainers']).toEqual([expect.stringMatching(/^id-/)])
})

test('[M 2] samples are found by the ids that callers have', async () => {
  const kind = 'dockerContainers'
  const { frame } = (await ask('/api/history/state', { at: clock.now() })) as PastState
  const [id] = frame.index[kind]!
  const pointsOf = async (ids: string) => {
    const { series } = (await ask('/api/history/series', { kind, ids, fields: 'memoryUsed', ...span() })) as {
      series: HistorySeries[]
    }
    return series[0]!.points.length
  }
  expect(await pointsOf(id!)).toBeGreaterThan(0)
  expect(await pointsOf(realId), 'names cannot be tried').toBe(0)
  const { ids, fields } = (await ask('/api/history/trends', { kind, fields: 'memoryUsed' })) as HistoryTrends
  expect(ids).toEqual([id])
  expect(fields['memoryUsed']!.points).toMatch(/[^~]/)
})

test('[M 2] the documented charts are masked', async () => {
  await ask('/api/charts', { range: '1h' })
  await ask('/api/storage-charts', { range: '60' })
})

test('[M 2] a demonstration plays no back-test', async () => {
  const body = { kind: 'guests', metric: 'cpu', config: alertDefaults }
  const { status, body: answer } = await server.as({})('POST', '/api/history/back-test', body)
  expect([status, answer]).toMatchObject([403, { code: 'demo_mode' }])
})
