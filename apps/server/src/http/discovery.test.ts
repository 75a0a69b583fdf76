import type { DiscoveryReply } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectLive } from '../testing/live-client.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'
import { within } from '../../../../scripts/test-limits.ts'

const subnet = '127.31.200.8/29'
let lab: Lab
let server: TestServer
beforeAll(async () => {
  lab = await startLab({ nodes: 1, pbs: 1, pmg: 1, guests: 1, base: '127.31.200', authDelayMs: 0 })
  server = await startTestServer()
})
afterAll(async () => {
  await server.stop()
  await lab.close()
})

const hostOf = ({ url }: { url: string }) => new URL(url).hostname
const discover = (body: unknown = {}) => server.call('POST', '/api/discover', body)
const latest = async () => (await server.call('GET', '/api/discover')).body as DiscoveryReply
const save = async (change: object) => {
  const { status, text } = await server.call('POST', '/api/system/settings/update', change)
  expect(text).toContain('success')
  expect(status).toBe(200)
}

test('[platform 10.5] off: 200 with nothing for a look, 409 for a scan', async () => {
  expect((await server.call('GET', '/api/discover')).body).toEqual({
    servers: [],
    errors: [],
    structured_errors: [],
    environment: null,
    cached: true,
    scanning: false,
    updated: 0,
    timestamp: 0,
    age: 0,
  })
  expect((await discover({ use_cache: true })).body).toMatchObject({ cached: true, age: 0 })
  expect(await discover({ subnet })).toMatchObject({ status: 409, body: { code: 'conflict' } })
})

test('[platform 10.5] 400 for what is no subnet', async () => {
  expect(await discover({ subnet: '127.31.200.8' })).toMatchObject({
    status: 400,
    body: {
      code: 'validation_failed',
      error: 'Use CIDR format such as 192.168.1.0/24 (comma-separated for multiple)',
    },
  })
  expect((await discover({ subnet: 1 })).status).toBe(400)
  expect((await discover({ subnet: '1.1.1.1/32,'.repeat(300) })).status).toBe(400)
})

test('[spec 2 §4] switched on, it finds the three products, tells the browser and keeps the result', async () => {
  const [pve, pbs, pmg] = [lab.clusters[0]!.nodes[0]!, lab.pbs[0]!, lab.pmg[0]!]
  const live = await connectLive(server.url)
  await save({ discoveryEnabled: true, discoverySubnet: subnet })
  const seen = (type: string) => live.texts.filter((frame) => frame.type === type)
  await vi.waitFor(() => expect(seen('discovery_complete').length).toBe(1), within(30_000))
  expect(seen('discovery_started')[0]!.data).toMatchObject({ scanning: true, subnet })
  expect(seen('discovery_server_found').length).toBe(3)
  live.close()

  const { servers, ...rest } = await latest()
  expect(rest).toMatchObject({ cached: true, scanning: false, errors: [] })
  const found = servers.map(({ ip, port, type }) => [ip, port, type])
  expect(found.toSorted()).toEqual(
    [
      [hostOf(pve), 8006, 'pve'],
      [hostOf(pbs), 8007, 'pbs'],
      [hostOf(pmg), 8006, 'pmg'],
    ].toSorted(),
  )
  expect(servers.find(({ type }) => type === 'pve')!.hostname).toBe(pve.name)

  const { body } = await server.call('GET', '/api/security/audit?event=discovery_scan')
  expect(body).toMatchObject({ events: [] })
})

test('a requested scan is recorded with its networks', async () => {
  const answer = await discover({ subnet: '127.31.200.12/30' })
  expect(answer).toMatchObject({ status: 200, body: { cached: false, scanning: false } })
  expect((await discover({ use_cache: true })).body).toMatchObject({ cached: true })
  const { body } = await server.call('GET', '/api/security/audit?event=discovery_scan')
  expect((body as { events: unknown[] }).events).toMatchObject([
    { target: '127.31.200.12/30', success: true },
  ])
})

test('[collection 5.3] no target has seen a sign-in, nor any call of its API', () => {
  const asked = lab.control.requests().entries.map(({ method, template }) => `${method} ${template}`)
  expect(asked).toEqual(['GET /', 'GET /', 'GET /'])
})

test('a server that is added leaves the list at once', async () => {
  const { url, fingerprint } = lab.clusters[0]!.nodes[0]!
  const { tokenId, tokenSecret } = lab.credentials
  const node = { type: 'pve', host: url, tokenName: tokenId, tokenValue: tokenSecret, fingerprint }
  expect((await server.call('POST', '/api/config/nodes', node)).status).toBe(201)
  const types = (await latest()).servers.map(({ type }) => type)
  expect(types.toSorted()).toEqual(['pbs', 'pmg'])
})

test('auto looks through no network in tests: this is a guard of the tests themselves', async () => {
  await save({ discoverySubnet: 'auto' })
  const { body } = await discover({ subnet: 'auto' })
  expect(body).toMatchObject({ servers: [], environment: { phases: [] } })
})

test('the environment decides over the settings', async () => {
  await server.restart({ API_TOKENS: adminToken, DISCOVERY_ENABLED: 'false' })
  expect(await discover({ subnet })).toMatchObject({ status: 409 })
})
