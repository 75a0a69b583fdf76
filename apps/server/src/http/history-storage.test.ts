import { type AuditRecord, type Charts, HistoryStorage } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addToken } from '../testing/people.ts'
import { connectCluster } from './fixtures-cluster.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { within } from '../../../../scripts/test-limits.ts'

let lab: Lab
let server: TestServer
const clock = acceleratedClock(20, Date.now())
const until = (look: () => Promise<void>) => vi.waitFor(look, { timeout: within(120_000), interval: 100 })
const storage = async () => HistoryStorage.parse((await server.call('GET', '/api/history/storage')).body)
const points = async () => {
  const { nodeData } = (await server.call('GET', '/api/charts')).body as Charts
  return Object.values(nodeData)[0]?.cpu ?? []
}

beforeAll(async () => {
  lab = await startLab({ nodes: 1, guests: 4, authDelayMs: 0, loadPeriodMs: 0 })
  server = await startTestServer(clock)
  await connectCluster(server, lab)
  await until(async () => expect((await points()).length).toBeGreaterThanOrEqual(3))
})
afterAll(async () => {
  await server.stop()
  await lab.close()
})

test('[M 1.2] an administrator reads the size on disk and the oldest sample', async () => {
  const { fileBytes, oldest } = await storage()
  expect(fileBytes).toBeGreaterThan(4_096)
  expect(oldest).toBeLessThanOrEqual((await points())[0]!.timestamp)
})

test('[M 1.2] how long samples are kept is a setting, in effect at once', async () => {
  const tier = async () => {
    const to = clock.now() - 29 * 3_600_000
    const query = { kind: 'guests', ids: 'a:1', fields: 'cpu', from: `${to - 3_600_000}`, to: `${to}` }
    const { body } = await server.call('GET', `/api/history/series?${new URLSearchParams(query)}`)
    return (body as { tier: string }).tier
  }
  const save = (change: object) => server.call('POST', '/api/system/settings/update', change)
  expect(await tier()).toBe('minute')
  expect((await save({ historyRawHours: 48 })).status).toBe(200)
  expect(await tier()).toBe('raw')
  const { status, body } = await save({ historyMinuteDays: 1 })
  expect(status).toBe(400)
  expect(JSON.stringify(body)).toContain('samples as polled for longer than their minutes')
})

test('[M 4] only an administrator deletes the history; it is audited, and a new one begins', async () => {
  const { headers: reader } = await addToken(server.call, { scopes: ['monitoring:read'] })
  for (const headers of [reader, {}])
    expect((await server.as(headers)('DELETE', '/api/history')).status).toBeGreaterThanOrEqual(401)
  expect((await server.as(reader)('GET', '/api/history/storage')).status).toBe(403)
  const before = await points()
  const deletedAt = clock.now()
  expect((await server.call('DELETE', '/api/history')).status).toBe(200)
  await until(async () => {
    const after = await points()
    expect(after.length).toBeGreaterThan(0)
    expect(after[0]!.timestamp).toBeGreaterThan(before.at(-1)!.timestamp)
  })
  expect((await storage()).oldest).toBeGreaterThanOrEqual(deletedAt)
  const { body } = await server.call('GET', '/api/security/audit?event=metric_history_deleted')

  expect((body as { events: AuditRecord[] }).events).toMatchObject([
    { event: 'metric_history_deleted', success: true },
  ])
})
