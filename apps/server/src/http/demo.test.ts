import { type DockerHost, type Guest, type Node, SecurityStatus } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { aReport } from '../docker/fixtures.ts'
import { endpoints, nameOf } from '../testing/access-matrix.ts'
import { connectLive, type LiveClient } from '../testing/live-client.ts'
import { addToken, addUser, password, signIn, steppedClock } from '../testing/people.ts'
import { adminToken, asAdmin, startTestServer, type TestServer } from '../testing/server.ts'
import { within } from '../../../../scripts/test-limits.ts'

/** Accelerated, because guests report their addresses within half a minute. */
const clock = steppedClock(acceleratedClock(8, Date.now()))
const site = 'pve1.rechenzentrum.musterstadt.de'
const link = 'https://wiki.rechenzentrum.musterstadt.de:8443/vm?at=10.11.12.13'

let lab: Lab
let server: TestServer
let session: Record<string, string>
/** token of an agent that reported before, and of a read-only program */
let agent: Record<string, string>
let reader: Record<string, string>
/** texts that must not appear in demo mode */
let real: string[]

const state = async (headers: Record<string, string>) =>
  (await server.as(headers)('GET', '/api/state')).body as { nodes: Node[]; vms: Guest[]; containers: Guest[] }

async function addressesKnown(headers: Record<string, string>) {
  const { vms, containers } = await state(headers)
  const guests = [...vms, ...containers]
  expect(guests.some(({ name }) => name.includes('.'))).toBe(true)
  expect(guests.some(({ ipAddresses }) => ipAddresses?.length)).toBe(true)
}

beforeAll(async () => {
  lab = await startLab({ nodes: 2, guests: 12, pbs: 1, authDelayMs: 0, loadPeriodMs: 0 })
  server = await startTestServer(clock)
  await addUser(server, 'anna', 'admin')
  session = await signIn(server, 'anna')
  const [node] = lab.clusters[0]!.nodes
  const [pbs] = lab.pbs
  const connect = (body: object) => server.call('POST', '/api/config/nodes', body)
  await connect({
    type: 'pve',
    name: site,
    host: node!.url,
    tokenName: lab.credentials.tokenId,
    tokenValue: lab.credentials.tokenSecret,
    fingerprint: node!.fingerprint,
  })
  await connect({
    type: 'pbs',
    name: 'backup',
    host: pbs!.url,
    tokenName: pbs!.credentials.tokenId,
    tokenValue: pbs!.credentials.tokenSecret,
    fingerprint: pbs!.fingerprint,
  })
  // the host is unreachable, and its error names it
  await connect({
    type: 'pmg',
    name: 'mail',
    host: 'https://127.200.1.9:8006',
    user: 'root@pam',
    password: 'x',
    verifySSL: false,
  })
  lab.control.patchGuest(101, { name: 'shop.rechenzentrum.musterstadt.de' })
  await vi.waitFor(() => addressesKnown(asAdmin), { timeout: within(90_000), interval: 200 })
  const { nodes, vms, containers } = await state(asAdmin)
  const guests = [...vms, ...containers]
  const { id } = guests.find(({ vmid }) => vmid === 101)!
  expect(
    (await server.call('PUT', `/api/guests/metadata/${encodeURIComponent(id)}`, { customUrl: link })).status,
  ).toBe(200)
  const interfaces = guests.flatMap(({ networkInterfaces }) => networkInterfaces ?? [])
  real = [
    ...nodes.map(({ host }) => new URL(host!).host),
    ...lab.clusters[0]!.nodes.map(({ address }) => address),
    ...lab.pbs.map(({ address }) => address),
    '127.200.1.9',
    'musterstadt',
    '10.11.12.13',
    ...guests.flatMap(({ ipAddresses }) => ipAddresses ?? []),
    ...interfaces.flatMap(({ mac, addresses }) => [...(mac ? [mac] : []), ...(addresses ?? [])]),
  ].map((text) => text.toLowerCase())
  expect(real.length).toBeGreaterThan(10)
  agent = (await addToken(server.call, { scopes: ['docker:report'], oneHost: true })).headers
  reader = (await addToken(server.call, { scopes: ['monitoring:read'] })).headers
  const first = await server.as(agent)('POST', '/api/agents/docker/report', aReport({ id: 'dock1' }))
  expect(first.status).toBe(200)
  await server.restart({ API_TOKENS: adminToken, DEMO_MODE: 'true' })
})
afterAll(async () => {
  await server.stop()
  await lab.close()
})

const found = (text: string) => real.filter((one) => text.toLowerCase().includes(one))

describe('[facts/platform 7.3] demo mode', () => {
  test('every visitor is signed in as a viewer without a name of their own', async () => {
    for (const headers of [{}, session, asAdmin, { 'x-api-token': 'wrong' }]) {
      const { body } = await server.as(headers)('GET', '/api/security/status')
      const status = SecurityStatus.parse(body)
      expect(status).toMatchObject({ demo: true, user: { name: 'demo', role: 'viewer' } })
      expect([status.disabled, status.authUsername, status.apiTokenHint]).toEqual([
        undefined,
        undefined,
        undefined,
      ])
      expect((await server.as(headers)('GET', '/api/state')).status).toBe(200)
      expect((await server.as(headers)('GET', '/api/config/nodes')).status).toBe(403)
    }
  })

  test('no real host or address is in any answer', async () => {
    await vi.waitFor(() => addressesKnown({}), { timeout: within(90_000), interval: 200 })
    let bodies = 0
    for (const endpoint of endpoints) {
      for (const headers of [{}, session, asAdmin]) {
        clock.pass(7_000)
        const where = endpoint.path.replace(/:\w+/g, 'x')
        const isGet = endpoint.method === 'GET'
        const answer = await server.as(headers)(endpoint.method, where, isGet ? undefined : {})
        // the administrator's token may send reports
        const isSource = endpoint.takenInDemo && headers === asAdmin
        if (!isGet && !isSource) {
          expect(answer.body, nameOf(endpoint)).toMatchObject({ code: 'demo_mode' })
        }
        if (answer.status === 200) bodies += 1
        expect(found(answer.text + JSON.stringify([...answer.headers])), nameOf(endpoint)).toEqual([])
      }
    }
    expect(bodies).toBeGreaterThan(20)
  })

  test('no real host or address is in any frame', async () => {
    const plain: LiveClient = await connectLive(server.url, { headers: {} })
    const delta: LiveClient = await connectLive(server.url, { headers: session, delta: true })
    delta.send({ type: 'subscribe', slices: ['live', 'backups'] })
    lab.control.patchGuest(101, { cpu: 0.9 })
    await expect
      .poll(() => plain.texts.some(({ type }) => type === 'initialState'), { timeout: within(30_000) })
      .toBe(true)
    await expect
      .poll(() => delta.deltas.some(({ t }) => t === 'patch'), { timeout: within(30_000) })
      .toBe(true)
    expect(found(JSON.stringify([plain.texts, delta.deltas]))).toEqual([])
    expect(JSON.stringify(delta.deltas)).toContain('.example')
    plain.close()
    delta.close()
  })

  describe('container hosts, which report by themselves', () => {
    const report = '/api/agents/docker/report'
    const sent = aReport({ id: 'dock1', host: { hostname: 'dock1.musterstadt.de', name: 'dock1' } })
    const shown = async () => (await server.as({})('GET', '/api/state')).body as { dockerHosts: DockerHost[] }

    test('an agent whose token is from before is heard, and its host is shown, masked', async () => {
      expect((await shown()).dockerHosts).toMatchObject([{ id: 'dock1' }])
      const answer = await server.as(agent)('POST', report, sent)
      expect(answer).toMatchObject({ status: 200, body: { success: true, containers: 1 } })
      const hostname = expect.stringMatching(/^host-[0-9a-f]{6}\.example$/)
      await expect
        .poll(async () => (await shown()).dockerHosts, { timeout: within(10_000) })
        .toMatchObject([{ id: 'dock1', status: 'online', hostname, containers: [{}] }])
      expect(found(answer.text + JSON.stringify(await shown()))).toEqual([])
    })

    test('no other caller is accepted, whatever they send, and no password is checked', async () => {
      const basic = { authorization: `Basic ${Buffer.from(`anna:${password}`).toString('base64')}` }
      for (const headers of [{}, session, basic, reader, { 'x-api-token': 'wrong' }]) {
        const answer = await server.as(headers)('POST', report, sent)
        expect([answer.status, answer.body]).toMatchObject([403, { code: 'demo_mode' }])
      }
    })

    test('what may report may change nothing else', async () => {
      for (const headers of [agent, asAdmin]) {
        const answer = await server.as(headers)('DELETE', '/api/agents/docker/hosts/dock1')
        expect([answer.status, answer.body]).toMatchObject([403, { code: 'demo_mode' }])
      }
    })
  })

  test('what is shown still fits together: ids, nodes, links, errors', async () => {
    const { nodes, vms } = await state({})
    for (const node of nodes) {
      expect(node.id).toBe(`${node.instance}-${node.name}`)
      expect(node.host).toMatch(/^https:\/\/192\.0\.2\.\d+:8006$/)
    }
    const shop = vms.find(({ vmid }) => vmid === 101)!
    expect(nodes.map(({ instance }) => instance)).toContain(shop.instance)
    expect(shop.name).toMatch(/^host-[0-9a-f]{6}\.example$/)
    const { body } = await server.as({})('GET', '/api/guests/metadata')
    expect(
      Object.values(body as Record<string, { customUrl: string }>).map(({ customUrl }) => customUrl),
    ).toEqual([expect.stringMatching(/^https:\/\/host-[0-9a-f]{6}\.example:8443\/$/)])
  })

  test('with DISABLE_AUTH it admits this machine alone, all the same as a viewer', async () => {
    await server.restart({ DISABLE_AUTH: 'true', DEMO_MODE: 'true' })
    const { body } = await server.as({})('GET', '/api/security/status')
    expect(body).toMatchObject({ demo: true, user: { role: 'viewer' } })
    expect((await server.as({ 'x-forwarded-for': '192.0.2.1' })('GET', '/api/state')).status).toBe(403)
  })
})
