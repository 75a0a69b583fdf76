import { ErrorBody, Health, type NodeConfig, PlainState, VersionInfo } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readFiles } from '../testing/files.ts'
import { connectLive } from '../testing/live-client.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { within } from '../../../../scripts/test-limits.ts'

let lab: Lab
let server: TestServer

beforeAll(async () => {
  lab = await startLab({ nodes: 2, guests: 12, authDelayMs: 0, loadPeriodMs: 0 })
  // resources are listed every ten seconds
  server = await startTestServer(acceleratedClock(5, Date.now()))
})
afterAll(async () => {
  await server.stop()
  await lab.close()
})
beforeEach(async () => {
  for (const { id } of await nodes()) await server.call('DELETE', `/api/config/nodes/${id}`)
})

/** A longer timeout, because accelerated time slows down on a busy machine. */
const until = <T>(probe: () => T | Promise<T>) =>
  vi.waitFor(probe, { timeout: within(120_000), interval: 50 })
const nodes = async () => (await server.call('GET', '/api/config/nodes')).body as NodeConfig[]
const state = async () => PlainState.parse((await server.call('GET', '/api/state')).body)

function labNode(change: Record<string, unknown> = {}) {
  const [first] = lab.clusters[0]!.nodes
  return {
    type: 'pve',
    name: 'home',
    host: first!.url,
    tokenName: lab.credentials.tokenId,
    tokenValue: lab.credentials.tokenSecret,
    fingerprint: first!.fingerprint,
    ...change,
  }
}

const added = async (change = {}) => {
  const { status, body } = await server.call('POST', '/api/config/nodes', labNode(change))
  expect(status).toBe(201)
  return (body as { id: string }).id
}

describe('200', () => {
  test('[facts/collection 4.7] health, version, stats and performance', async () => {
    expect(Health.parse((await server.call('GET', '/api/health')).body).status).toBe('healthy')
    const version = VersionInfo.parse((await server.call('GET', '/api/version')).body)
    expect(version.version).toMatch(/^\d/)
    expect((await server.call('GET', '/api/stats')).body).toMatchObject({ version: version.version })
    expect((await server.call('GET', '/api/performance')).body).toMatchObject({
      connections: {},
      process: { rssBytes: expect.any(Number) },
    })
    expect((await fetch(`${server.url}/api/health`, { method: 'HEAD' })).status).toBe(200)
  })

  test('a node that is added is watched at once, and one that is removed is gone at once', async () => {
    const live = await connectLive(server.url, { delta: true })
    const id = await added()
    await until(() => expect(live.texts).toContainEqual({ type: 'nodes_changed', data: {} }))
    await until(async () => expect((await state()).nodes).toHaveLength(2))
    const { vms, containers, connectionHealth } = await state()
    expect(vms.length).toBeGreaterThan(0)
    expect(containers.length).toBeGreaterThan(0)
    expect(connectionHealth).toEqual({ home: true })
    await until(async () =>
      expect((await nodes())[0]).toMatchObject({ status: 'connected', isCluster: true }),
    )
    expect((await server.call('DELETE', `/api/config/nodes/${id}`)).status).toBe(200)
    await until(() => expect(live.texts).toContainEqual({ type: 'node_deleted', data: { nodeType: 'pve' } }))
    expect(await state()).toMatchObject({
      nodes: [],
      vms: [],
      containers: [],
      storage: [],
      connectionHealth: {},
    })
  })

  test('the whole state is the documented one, also compressed', async () => {
    await added()
    await until(async () => expect((await state()).storage.length).toBeGreaterThan(0))
    const response = await server.call('GET', '/api/state', undefined, { 'accept-encoding': 'gzip' })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    PlainState.parse(response.body)
  })

  test('[spec 2 §5] a change takes what is given and keeps the rest; a blank secret keeps the stored one', async () => {
    const id = await added()
    await until(async () => expect((await nodes())[0]!.status).toBe('connected'))
    const change = { type: 'pve', name: 'renamed', tokenValue: '', password: '', monitorBackups: false }
    expect((await server.call('PUT', `/api/config/nodes/${id}`, change)).status).toBe(200)
    const [node] = await nodes()
    expect(node).toMatchObject({
      id,
      name: 'renamed',
      hasToken: true,
      tokenName: lab.credentials.tokenId,
      monitorBackups: false,
      monitorVMs: true,
      monitorPhysicalDisks: false,
    })
    await until(async () => expect((await state()).connectionHealth).toEqual({ renamed: true }))
    await until(async () => expect((await state()).vms[0]?.instance).toBe('renamed'))
  })

  test('a stored secret survives a restart, and what was added is watched again', async () => {
    await added()
    await server.restart()
    await until(async () => expect((await state()).nodes).toHaveLength(2))
  })

  test('[spec 2 §4] testing a cluster says so', async () => {
    const { status, body } = await server.call('POST', '/api/config/nodes/test-connection', labNode())
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'success',
      isCluster: true,
      message: expect.stringContaining('Cluster detected! All cluster nodes will be automatically added.'),
    })
    expect(await nodes()).toEqual([])
    const id = await added()
    expect((await server.call('POST', `/api/config/nodes/${id}/test`)).body).toMatchObject({
      status: 'success',
    })
  })

  test('[spec 1 §7] guest links are kept with the guest', async () => {
    await added()
    await until(async () => expect((await state()).vms.length).toBeGreaterThan(0))
    const [vm] = (await state()).vms
    const where = `/api/guests/metadata/${vm!.id}`
    expect((await server.call('GET', where)).body).toEqual({ id: vm!.id })
    const put = await server.call('PUT', where, { customUrl: 'https://grafana.lan/d/1' })
    expect(put.body).toEqual({ id: vm!.id, customUrl: 'https://grafana.lan/d/1' })
    const target = lab.clusters[0]!.nodes.find((node) => node.name !== vm!.node)!.name
    lab.control.migrateGuest(vm!.vmid, target)
    await until(async () => {
      const moved = (await state()).vms.find((one) => one.vmid === vm!.vmid)!
      expect(moved.node).toBe(target)
      expect((await server.call('GET', '/api/guests/metadata')).body).toEqual({
        [moved.id]: { id: moved.id, customUrl: 'https://grafana.lan/d/1' },
      })
    })
    expect((await server.call('GET', where)).body).toMatchObject({ customUrl: 'https://grafana.lan/d/1' })
    expect((await server.call('DELETE', where)).status).toBe(204)
    expect((await server.call('GET', '/api/guests/metadata')).body).toEqual({})
  })
})

test('[facts/collection 1.4] after a restart the other members stand in for a pinned first one that is down', async () => {
  await added()
  await until(async () => expect((await nodes())[0]!.clusterEndpoints).toHaveLength(2))
  const [first] = lab.clusters[0]!.nodes
  await lab.control.patchNode(first!.name, { online: false })
  try {
    await server.restart()
    await until(async () => {
      const found = (await state()).nodes
      expect(found.find((node) => node.name === first!.name)?.status).toBe('offline')
      expect(found.find((node) => node.name !== first!.name)?.status).toBe('online')
    })
  } finally {
    await lab.control.patchNode(first!.name, { online: true })
  }
})

describe('400', () => {
  test.each([
    [{ host: '' }, 'Host is required'],
    [{ host: 'http://pve1' }, 'https://'],
    [{ tokenValue: '' }, 'Token ID and token value are required'],
    [{ tokenName: '', tokenValue: '', user: 'root' }, 'Username and password are required'],
    [{ fingerprint: 'AA:BB' }, '64 hexadecimal digits'],
    [{ tokenName: 'no-token' }, 'user@realm!tokenname'],
    [{ type: 'vmware' }, 'type'],
    [{ type: 'pmg', tokenName: '', tokenValue: '' }, 'Username and password are required'],
    [{ surprise: 1 }, 'surprise'],
    [{ verifySSL: 'yes' }, 'verifySSL'],
  ])('[spec 2 §5] %j', async (change, says) => {
    const { status, body } = await server.call('POST', '/api/config/nodes', labNode(change))
    expect(status).toBe(400)
    const error = ErrorBody.parse(body)
    expect(error.error).toContain(says)
    expect(await nodes()).toEqual([])
  })

  test.each([
    ['{"type":', 'invalid_json'],
    ['[]', 'validation_failed'],
    ['null', 'validation_failed'],
    ['{"__proto__":{"admin":true},"type":"pve"}', undefined],
  ])('a body like %s', async (text, code) => {
    const { status, body } = await server.call('POST', '/api/config/nodes', text)
    expect(status).toBe(400)
    if (code) expect(body).toMatchObject({ code })
  })

  test('a wrong token, a wrong fingerprint and a dead host each say what is wrong', async () => {
    const fails = async (change: Record<string, unknown>) => {
      const answer = await server.call('POST', '/api/config/nodes/test-connection', labNode(change))
      expect(answer.status).toBe(400)
      return ErrorBody.parse(answer.body)
    }
    expect((await fails({ tokenValue: 'wrong' })).error).toMatch(/token|credential|sign/i)
    const pin = await fails({ fingerprint: 'AB'.repeat(32) })
    expect(pin.error).toMatch(/fingerprint/i)
    expect(pin.details?.['fingerprint']).toBe(lab.clusters[0]!.nodes[0]!.fingerprint)
    expect((await fails({ host: 'https://127.0.0.1:9' })).error).toMatch(/127\.0\.0\.1/)
  })

  test('a guest link that is no link', async () => {
    const answer = await server.call('PUT', '/api/guests/metadata/a', { customUrl: 'javascript:alert(1)' })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error: 'URL must start with http:// or https://' })
  })
})

describe('404, 405, 409, 413, 415', () => {
  test('unknown things', async () => {
    expect((await server.call('GET', '/api/nowhere')).status).toBe(404)
    expect((await server.call('PUT', '/api/config/nodes/pve-0', { type: 'pve' })).body).toMatchObject({
      error: 'Node not found',
    })
    expect((await server.call('PATCH', '/api/config/nodes')).status).toBe(405)
    expect((await server.call('POST', '/api/state', {})).status).toBe(405)
  })

  test('the same name, or a member of a cluster that is watched already', async () => {
    await added()
    await until(async () => expect((await nodes())[0]!.clusterEndpoints).toHaveLength(2))
    const twice = await server.call('POST', '/api/config/nodes', labNode({ host: 'https://127.9.9.9' }))
    expect(twice).toMatchObject({ status: 409, body: { code: 'duplicate_name' } })
    const second = lab.clusters[0]!.nodes[1]!
    const member = await server.call(
      'POST',
      '/api/config/nodes',
      labNode({ name: 'other', host: second.url, fingerprint: second.fingerprint }),
    )
    expect(member).toMatchObject({ status: 409, body: { code: 'duplicate_cluster' } })
    expect(await nodes()).toHaveLength(1)
  })

  test('too much, and not JSON', async () => {
    const large = await server.call('POST', '/api/config/nodes', { type: 'pve', name: 'x'.repeat(2_000_000) })
    expect(large.status).toBe(413)
    const text = await server.call('POST', '/api/config/nodes', 'x=1', { 'content-type': 'text/plain' })
    expect(text.status).toBe(415)
  })
})

describe('[S16] secrets do not come back', () => {
  test('in no answer, live frame, log line or file', async () => {
    const id = await added()
    const live = await connectLive(server.url)
    await until(() => expect(live.texts.some((f) => f.type === 'initialState')).toBe(true))
    await server.call('POST', `/api/config/nodes/${id}/test`)
    const secret = lab.credentials.tokenSecret
    const answers = await Promise.all(
      ['/api/config/nodes', '/api/state', '/api/performance', '/api/stats'].map((w) => server.call('GET', w)),
    )
    for (const { text } of answers) expect(text).not.toContain(secret)
    expect(JSON.stringify(live.texts)).not.toContain(secret)
    expect(server.logLines.join('')).not.toContain(secret)
    for (const { name, text } of readFiles(server.dataDir)) expect(text.includes(secret), name).toBe(false)
  })
})
