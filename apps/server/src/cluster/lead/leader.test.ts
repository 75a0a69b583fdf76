import type { Alert, PlainState } from '@pulse/contract'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { aContainer, aReport } from '../../docker/fixtures.ts'
import { type ClusterProcess, startCluster, type TestCluster } from '../../testing/cluster.ts'
import { hasNats } from '../../testing/nats-server.ts'
import { connectLive } from '../../testing/live-client.ts'
import { addToken, login, password, sessionOf } from '../../testing/people.ts'
import { hasPostgres } from '../../testing/postgres-server.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const limit = { timeout: within(60_000) }

describe.skipIf(!found)('[N 3] of several processes, one leads', () => {
  let cluster: TestCluster
  let sink: http.Server
  let received: string[]
  let agent: Record<string, string>
  const [a, b] = [() => cluster.processes[0]!, () => cluster.processes[1]!]

  /** It has led, and is the last that began to. */
  const ledBy = () => {
    const begun = (one: ClusterProcess) => one.leads().at(-1) ?? ''
    return begun(a()) > begun(b()) ? [a(), b()] : [b(), a()]
  }
  const alertsOf = async (at: ClusterProcess) =>
    ((await at.call('GET', '/api/alerts/active')).body as Alert[]).map(({ resourceName }) => resourceName)
  const health: Record<string, 'healthy' | 'unhealthy'> = { db: 'healthy', web: 'healthy' }
  /** The agent says how its containers are. */
  const report = async (at: ClusterProcess, change: typeof health = {}) => {
    Object.assign(health, change)
    const containers = Object.entries(health).map(([name, own], n) =>
      aContainer({ id: String(n).repeat(64), name, health: own }),
    )
    const { status, text: said } = await at.as(agent)(
      'POST',
      '/api/agents/docker/report',
      aReport({ id: 'host', containers }),
    )
    expect([status, said]).toEqual([200, expect.any(String)])
  }
  const call = async (at: ClusterProcess, method: string, where: string, body?: unknown) => {
    const answer = await at.call(method, where, body)
    expect([answer.status < 300, answer.text], `${method} ${where}`).toEqual([true, expect.any(String)])
    return answer
  }

  beforeAll(async () => {
    received = []
    sink = http.createServer(async (request, response) => {
      const { event, alerts } = JSON.parse(await text(request)) as { event: string; alerts: Alert[] }
      received.push([event, ...alerts.map(({ resourceName }) => resourceName)].join(' '))
      response.end()
    })
    await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve))
    cluster = await startCluster({ a: {}, b: {} })
    const { port } = sink.address() as AddressInfo
    // b has not led: it asks a
    await call(b(), 'PUT', '/api/notifications/outbound', { allowedHosts: ['127.0.0.1'] })
    await call(b(), 'POST', '/api/notifications/webhooks', { name: 'Sink', url: `http://127.0.0.1:${port}/` })
    await call(b(), 'PUT', '/api/alerts/config', { schedule: { grouping: { enabled: false } } })
    await call(b(), 'POST', '/api/alerts/activate')
    agent = (await addToken(b().call, { scopes: ['docker:report'] })).headers
  })
  afterAll(async () => {
    await cluster?.remove()
    sink?.close()
  })

  test('whichever an agent reports to, both show its host, and one message goes out', async () => {
    await report(b(), { db: 'unhealthy' })
    for (const one of [a(), b()]) await expect.poll(() => alertsOf(one), limit).toHaveLength(1)
    for (const one of [a(), b()]) {
      const { dockerHosts } = (await one.call('GET', '/api/state')).body as PlainState
      expect(dockerHosts).toMatchObject([{ status: 'online', containers: [{ name: 'db' }, { name: 'web' }] }])
    }
    await expect.poll(() => received.length, limit).toBe(1)
    await report(a())
    await report(b(), { db: 'unhealthy' })
    expect(received).toHaveLength(1)
  })

  test('what one has stored, the other one shows in its next answer', async () => {
    const { body } = await call(b(), 'GET', '/api/notifications/webhooks')
    expect(body).toMatchObject([{ name: 'Sink' }])
    await call(b(), 'POST', '/api/system/settings/update', { theme: 'dark' })
    expect((await b().call('GET', '/api/system/settings')).body).toMatchObject({ theme: 'dark' })
    await expect
      .poll(async () => (await a().call('GET', '/api/system/settings')).body, limit)
      .toMatchObject({ theme: 'dark' })
  })

  test('a user who signs in at one is signed in at the other, and one who signs out at one is out at both', async () => {
    await call(b(), 'POST', '/api/security/users', { name: 'olga', password, role: 'admin' })
    const { headers } = await login(b(), 'olga')
    const session = sessionOf(headers)
    for (const one of [b(), a()])
      await expect
        .poll(async () => (await one.as(session)('GET', '/api/notifications/webhooks')).status, limit)
        .toBe(200)
    const client = await connectLive(a().url, { headers: { ...session, origin: a().url } })
    expect((await b().as(session)('POST', '/api/logout')).status).toBe(200)
    await client.closed
    expect((await a().as(session)('GET', '/api/notifications/webhooks')).status).toBe(401)
  })

  test('when it is killed, another one leads soon, sends what is new and repeats nothing', async () => {
    const [leader, other] = ledBy() as [ClusterProcess, ClusterProcess]
    await leader.kill()
    await report(other, { db: 'healthy' })
    await expect.poll(() => received.length, limit).toBe(2)
    expect(received[1]).toContain('resolved')
    expect(await alertsOf(other)).toEqual([])
    await leader.start()
    await expect.poll(() => alertsOf(leader), limit).toEqual([])
    expect(received).toHaveLength(2)
  })

  test('one that was frozen does nothing more for all, and starts again', async () => {
    const [leader, other] = ledBy() as [ClusterProcess, ClusterProcess]
    leader.freeze()
    await report(other, { web: 'unhealthy' })
    await expect.poll(() => received.length, limit).toBe(3)
    leader.thaw()
    await expect.poll(() => leader.output(), limit).toContain('starts again')
    await expect.poll(() => alertsOf(leader).catch(() => []), limit).toHaveLength(1)
    await report(leader, { web: 'healthy' })
    await expect.poll(() => received.length, limit).toBe(4)
    expect(received).toHaveLength(4)
  })

  test('[N 1] what it has sent while the database was away, the next one knows after its end', async () => {
    const [leader, other] = ledBy() as [ClusterProcess, ClusterProcess]
    await cluster.postgres.halt('crash')
    await expect.poll(() => report(other, { cache: 'unhealthy' }).then(() => ''), limit).toBe('')
    await expect.poll(() => received.length, limit).toBe(5)
    await leader.kill()
    await cluster.postgres.rise()
    await expect.poll(() => report(other, { cache: 'healthy' }).then(() => ''), limit).toBe('')
    // the message may have been on its way when the process ended, and then comes again
    await expect.poll(() => received.slice(4).at(-1), limit).toBe('resolved cache')
    await leader.start()
  })
})
