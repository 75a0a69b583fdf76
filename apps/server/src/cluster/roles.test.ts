import type { Diagnostics, PerformanceReply, PlainState, Readiness, SchedulerHealth } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { askHealth } from '../commands/health.ts'
import { readVersion } from '../start/version.ts'
import { type ClusterProcess, startCluster, type TestCluster } from '../testing/cluster.ts'
import { hasNats } from '../testing/nats-server.ts'
import { connectLive } from '../testing/live-client.ts'
import { hasPostgres } from '../testing/postgres-server.ts'
import { asAdmin } from '../testing/server.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const limit = { timeout: within(60_000) }

describe.skipIf(!found)('[N 3] processes with roles of their own', () => {
  let cluster: TestCluster
  let lab: Lab
  let [judge, serve]: [ClusterProcess, ClusterProcess] = [undefined, undefined] as never

  beforeAll(async () => {
    lab = await startLab({ nodes: 2, guests: 6, authDelayMs: 0, loadPeriodMs: 0 })
    cluster = await startCluster({
      judge: { PULSE_ROLES: 'collect,judge' },
      serve: { PULSE_ROLES: 'serve' },
    })
    ;[judge, serve] = cluster.processes as [ClusterProcess, ClusterProcess]
    const { url: host, fingerprint } = lab.clusters[0]!.nodes[0]!
    const { tokenId: tokenName, tokenSecret: tokenValue } = lab.credentials
    const node = { type: 'pve', name: 'pve', host, fingerprint, tokenName, tokenValue }
    const { status, text } = await serve.call('POST', '/api/config/nodes', node)
    expect([status, text]).toEqual([201, expect.any(String)])
  })
  afterAll(async () => {
    await cluster?.remove()
    await lab?.close()
  })

  const guests = async () => {
    const { vms, containers } = (await serve.call('GET', '/api/state')).body as PlainState
    return vms.length + containers.length
  }
  const ready = async (one: ClusterProcess) => {
    const { status, body } = await one.call('GET', '/api/health/ready')
    return { status, ...(body as Readiness) }
  }

  test('one that only serves shows all that others collect, and what only the one that leads knows', async () => {
    await expect.poll(guests, limit).toBe(6)
    const charts = await serve.call('GET', '/api/charts?range=5m')
    expect([charts.status, Object.keys(charts.body as object)]).toEqual([
      200,
      expect.arrayContaining(['data']),
    ])
    expect((await serve.call('GET', '/api/alerts/history')).status).toBe(200)
    expect((await serve.call('GET', '/api/config/nodes')).body).toMatchObject([{ status: 'connected' }])
  })

  test('one without pages answers for its health, its version and its metrics only', async () => {
    for (const where of ['/', '/api/state', '/api/config/nodes'])
      expect([where, (await judge.call('GET', where)).status]).toEqual([where, 404])
    expect((await judge.call('GET', '/api/health')).status).toBe(200)
    // an update asks for it
    const { version } = readVersion({})
    const here = { PULSE_DATA_DIR: judge.dataDir, FRONTEND_PORT: new URL(judge.url).port }
    expect(await askHealth(['--expect', version], here)).toBe(`healthy ${version}`)
    const { text } = await judge.call('GET', '/metrics')
    expect(text).toContain('pulse_cluster_leads 1')
    expect(text).toContain('pulse_cluster_sources 1')
    expect((await serve.call('GET', '/metrics')).text).toContain('pulse_cluster_leads 0')
  })

  test('diagnostics list them all', async () => {
    const read = async () => ((await serve.call('GET', '/api/diagnostics')).body as Diagnostics).processes
    await expect.poll(read, limit).toMatchObject([
      { roles: ['collect', 'judge'], leads: true, sources: 1, site: 'main', lastWord: expect.any(String) },
      { roles: ['serve'], leads: false, sources: 0 },
    ])
  })

  test('each reports the calls to the hosts that it asks, and no zeros for those that others ask', async () => {
    const read = async (where: string) => (await serve.call('GET', where)).body
    const { connections } = (await read('/api/performance')) as PerformanceReply
    expect(connections).toEqual({})
    const { instances, staleness } = (await read('/api/monitoring/scheduler/health')) as SchedulerHealth
    expect([instances, staleness]).toEqual([[], []])
    // the process that leads, which collects too, answers for the diagnostics
    const { nodes } = (await read('/api/diagnostics')) as Diagnostics
    expect(nodes[0]!.calls!.listCallsPerMinute).toBeGreaterThan(0)
  })

  test('without NATS, each goes on with what it has, but asks for no more calls', async () => {
    expect(await ready(serve)).toEqual({ status: 200, ready: true, roles: ['serve'], leads: false })
    expect(await ready(judge)).toMatchObject({ status: 200, leads: true })
    for (const one of cluster.nats) await one.halt()
    for (const one of [serve, judge])
      await expect.poll(() => ready(one), limit).toMatchObject({ status: 503 })
    expect(await guests()).toBe(6)
    for (const one of cluster.nats) await one.rise()
    for (const one of [serve, judge])
      await expect.poll(() => ready(one), limit).toMatchObject({ status: 200 })
    lab.control.patchGuest(100, { name: 'afterwards' })
    const names = async () =>
      ((await serve.call('GET', '/api/state')).body as PlainState).vms.map(({ name }) => name)
    await expect.poll(names, limit).toContain('afterwards')
    const { body } = await serve.call('GET', '/api/config/nodes')
    expect(body).toMatchObject([{ status: 'connected' }])
  })

  test.each([
    ['while NATS answers', () => {}],
    ['while NATS hangs', () => cluster.nats.forEach((one) => one.freeze())],
  ])(
    '[N 6] one that only serves ends with SIGTERM in time, and its clients know it, %s',
    async (_, begin) => {
      const ends: string[] = []
      serve.onExit((how) => ends.push(how))
      const client = await connectLive(serve.url, { headers: asAdmin })
      begin()
      await serve.stop()
      await client.closed
      for (const one of cluster.nats) one.thaw()
      expect(ends).toEqual(['0'])
      await serve.start()
      await expect.poll(guests, limit).toBe(6)
    },
  )

  test('while no process leads, calls that need it say so, and nothing else does', async () => {
    await judge.kill()
    const { status, body } = await serve.call('POST', '/api/alerts/activate')
    expect([status, body]).toEqual([503, expect.objectContaining({ code: 'leader_unavailable' })])
    expect(await guests()).toBe(6)
    await judge.start()
    await expect.poll(async () => (await serve.call('POST', '/api/alerts/activate')).status, limit).toBe(200)
  })
})
