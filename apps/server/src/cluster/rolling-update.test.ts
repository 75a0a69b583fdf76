import type { Alert, PlainState } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { aContainer, aReport } from '../docker/fixtures.ts'
import { builtServer, serverOfVersion } from '../testing/built-server.ts'
import { addSources } from '../testing/chaos-sources.ts'
import { type ClusterProcess, startCluster, type TestCluster } from '../testing/cluster.ts'
import { hasNats } from '../testing/nats-server.ts'
import { addToken } from '../testing/people.ts'
import { hasPostgres } from '../testing/postgres-server.ts'
import { readVersion } from '../start/version.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const limit = { timeout: within(60_000) }
const own = readVersion({}).version
const allLater = Array.from({ length: 5 }, () => '0.99.0')
const laterTable = 'CREATE TABLE of_later (id text PRIMARY KEY);\n'

/** In the order of the guide: one that waits, the one that leads, one that collects, the one that serves. */
describe.skipIf(!found)('[N 6] an update of one process after the other', () => {
  let cluster: TestCluster
  let lab: Lab
  let sink: http.Server
  let agent: Record<string, string>
  const received: string[] = []
  /** whatever the pages have called a node */
  const seen = new Set<string>()
  let watching: NodeJS.Timeout
  const same = serverOfVersion('0.98.0')
  const later = serverOfVersion('0.99.0', { '9000-later.sql': laterTable })
  const collectors = () => cluster.processes.slice(2, 4)
  const serve = () => cluster.processes[4]!
  const leading = (one: ClusterProcess) => one.output().lastIndexOf('this process leads')
  let [waiting, leader]: ClusterProcess[] = []

  const state = async () => (await serve().call('GET', '/api/state')).body as PlainState
  const versions = () =>
    Promise.all(
      cluster.processes.map(async (one) => {
        const { text: metrics } = await one.call('GET', '/metrics')
        return /pulse_build_info\{[^}]*version="([^"]*)"/.exec(metrics)?.[1] ?? ''
      }),
    )
  const fired = async () =>
    ((await serve().call('GET', '/api/alerts/active')).body as Alert[])
      .filter(({ type }) => type.startsWith('docker'))
      .map(({ resourceName }) => resourceName)
  async function call(method: string, where: string, body?: unknown) {
    const answer = await serve().call(method, where, body)
    expect([answer.status < 300, answer.text], `${method} ${where}`).toEqual([true, expect.any(String)])
  }
  /** The agent says which containers of its host are unhealthy. */
  const report = async (unhealthy: string[]) => {
    const containers = ['db', 'web'].map((name, n) =>
      aContainer({
        id: String(n).repeat(64),
        name,
        health: unhealthy.includes(name) ? 'unhealthy' : 'healthy',
      }),
    )
    const body = aReport({ id: 'host', containers })
    expect((await serve().as(agent)('POST', '/api/agents/docker/report', body)).status).toBe(200)
  }
  /** how many sources it collects */
  async function sourcesOf(one: ClusterProcess): Promise<number> {
    const { text: metrics } = await one.call('GET', '/metrics')
    return Number(/^pulse_cluster_sources (\d+)$/m.exec(metrics)?.[1])
  }
  /** `meanwhile`: what the others do */
  async function restart(one: ClusterProcess, program: string, meanwhile = () => Promise.resolve()) {
    one.use(program)
    await one.stop()
    await meanwhile()
    await one.start()
    await expect.poll(async () => (await one.call('GET', '/api/health/ready')).status, limit).toBe(200)
  }
  /** All that a user sees is there, and what he changes is stored, whichever versions run. */
  async function works(versionsThere: string[]) {
    expect((await versions()).toSorted()).toEqual(versionsThere.toSorted())
    const { nodes, vms, containers } = await state()
    expect([nodes.length, vms.length + containers.length]).toEqual([2, 6])
    await call('POST', '/api/system/settings/update', { theme: 'dark' })
  }

  beforeAll(async () => {
    sink = http.createServer(async (request, response) => {
      const { event, alerts } = JSON.parse(await text(request)) as { event: string; alerts: Alert[] }
      for (const { resourceName } of alerts)
        if (['db', 'web'].includes(resourceName)) received.push(`${resourceName} ${event}`)
      response.end()
    })
    await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve))
    lab = await startLab({ nodes: 2, guests: 6, authDelayMs: 0, loadPeriodMs: 0 })
    const [judge, collect] = [{ PULSE_ROLES: 'judge' }, { PULSE_ROLES: 'collect' }]
    const serving = { PULSE_ROLES: 'serve' }
    cluster = await startCluster({ a: judge, b: judge, c: collect, d: collect, serve: serving })
    await addSources(serve().call, lab)
    const { port } = sink.address() as AddressInfo
    await call('PUT', '/api/notifications/outbound', { allowedHosts: ['127.0.0.1'] })
    await call('POST', '/api/notifications/webhooks', { name: 'Sink', url: `http://127.0.0.1:${port}/` })
    await call('PUT', '/api/alerts/config', { schedule: { grouping: { enabled: false } } })
    await call('POST', '/api/alerts/activate')
    agent = (await addToken(serve().call, { scopes: ['docker:report'] })).headers
    const look = async () => {
      for (const { status } of (await state()).nodes) seen.add(status)
    }
    // it does not answer while it is updated itself
    watching = setInterval(() => void look().catch(() => {}), 200)
  })
  afterAll(async () => {
    clearInterval(watching)
    await cluster?.remove()
    await lab?.close()
    sink?.close()
    for (const { remove } of [same, later]) remove()
  })

  test('begins while an alert is on', async () => {
    await expect.poll(async () => (await state()).nodes.length, limit).toBe(2)
    await report(['db'])
    await expect.poll(fired, limit).toEqual(['db'])
    await expect.poll(() => received, limit).toEqual(['db raised'])
    const [a, b] = cluster.processes as [ClusterProcess, ClusterProcess]
    ;[waiting, leader] = leading(a) > leading(b) ? [b, a] : [a, b]
  })

  test('to a version with the same tables can be undone the same way', async () => {
    await restart(waiting!, same.program)
    await works(['0.98.0', own, own, own, own])
    await restart(waiting!, builtServer)
    await works([own, own, own, own, own])
  })

  test('to a version with further tables goes on with all that is known, and repeats nothing', async () => {
    await restart(waiting!, later.program)
    await works(['0.99.0', own, own, own, own])
    expect(await fired()).toEqual(['db'])

    await restart(leader!, later.program)
    await expect.poll(() => leading(waiting!), limit).toBeGreaterThan(-1)
    await report([])
    await expect.poll(() => received, limit).toEqual(['db raised', 'db resolved'])
    await works(['0.99.0', '0.99.0', own, own, own])

    const [first, second] = collectors() as [ClusterProcess, ClusterProcess]
    const [holder, other] = (await sourcesOf(first)) === 1 ? [first, second] : [second, first]
    await restart(holder, later.program, () => expect.poll(() => sourcesOf(other), limit).toBe(1))
    await works(['0.99.0', '0.99.0', '0.99.0', own, own])
    await restart(other, later.program)
    await works(['0.99.0', '0.99.0', '0.99.0', '0.99.0', own])
    const all = () => Promise.all(collectors().map(sourcesOf)).then((each) => each.toSorted())
    await expect.poll(all, limit).toEqual([0, 1])

    await restart(serve(), later.program)
    await works(allLater)
    await report(['web'])
    await expect.poll(() => received, limit).toEqual(['db raised', 'db resolved', 'web raised'])
  })

  test('cannot be undone when the tables have changed: the process says so and changes nothing', async () => {
    await waiting!.stop()
    waiting!.use(builtServer)
    await expect(waiting!.start()).rejects.toThrow(/newer version of Pulse[^]*9000-later/)
    waiting!.use(later.program)
    await waiting!.start()
    await works(allLater)
  })

  test('calls no node of the estate anything but online', () => expect([...seen]).toEqual(['online']))
})
