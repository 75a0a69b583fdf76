import type { ConfigExport, HistoryChange, HistorySeries } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectCluster } from './fixtures-cluster.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { bytesOf, unseal } from '../transfer/file.ts'
import { within } from '../../../../scripts/test-limits.ts'

const passphrase = 'a passphrase of some length'
const guest = 'canary-guest-of-the-history'
let lab: Lab
let server: TestServer
let other: TestServer
let from: number
const clock = acceleratedClock(20, Date.now())
const until = (look: () => Promise<void>) => vi.waitFor(look, { timeout: within(120_000), interval: 100 })

const changesOf = async (one: TestServer) => {
  const query = new URLSearchParams({ from: String(from), to: String(clock.now() + 60_000) })
  const { body } = await one.call('GET', `/api/history/changes?${query}`)
  return (body as { changes: HistoryChange[] }).changes
}

beforeAll(async () => {
  lab = await startLab({ nodes: 1, guests: 1, authDelayMs: 0, loadPeriodMs: 10_000 })
  server = await startTestServer(clock)
  other = await startTestServer(clock)
  from = clock.now()
  await connectCluster(server, lab)
  await until(async () =>
    expect((await server.call('GET', '/api/state')).text).toContain(lab.control.guest(100).name),
  )
  lab.control.patchGuest(100, { name: guest, status: 'running' })
})
afterAll(async () => {
  await server.stop()
  await other.stop()
  await lab.close()
})

test('[M 1] an export leaves samples and changes out, and its import brings none', async () => {
  await until(async () => expect(JSON.stringify(await changesOf(server))).toContain(guest))
  const [{ id }] = (await changesOf(server)).filter(({ name }) => name === guest) as [HistoryChange]
  await until(async () => {
    const times = { from: String(from), to: String(clock.now()) }
    const query = new URLSearchParams({ kind: 'guests', ids: id, fields: 'cpu', ...times })
    const { body } = await server.call('GET', `/api/history/series?${query}`)
    expect((body as { series: HistorySeries[] }).series[0]!.points.length).toBeGreaterThan(1)
  })

  const { body, status } = await server.call('POST', '/api/config/export', { passphrase })
  expect(status).toBe(200)
  const { data } = body as ConfigExport
  const { text } = await unseal(bytesOf(data), passphrase)
  expect(text).toContain(lab.credentials.tokenSecret)
  expect(text).not.toContain(guest)
  expect(text).not.toContain(id)

  const imported = await other.call('POST', '/api/config/import', { passphrase, data })
  expect(imported.status).toBe(200)
  expect(JSON.stringify(await changesOf(other))).not.toContain(guest)
})
