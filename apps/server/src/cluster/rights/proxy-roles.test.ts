import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { realClock } from '../../edges.ts'
import { connectLive } from '../../testing/live-client.ts'
import { type ClusterProcess, startCluster, type TestCluster } from '../../testing/cluster.ts'
import { hasNats } from '../../testing/nats-server.ts'
import { hasPostgres } from '../../testing/postgres-server.ts'
import { openBus, type Bus } from '../nats/bus.ts'
import { packed } from '../nats/parts.ts'
import { Message } from './proxy-roles.ts'
import { proxyRoles } from '../nats/subjects.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const secret = 'proxy-secret-0123456789'

test('a name in a message is no longer than a proxy may send it: ten thousand of them are remembered', () => {
  const fits = (length: number) =>
    Message.safeParse({ from: 'a process', name: 'x'.repeat(length), role: 'viewer' }).success
  expect([fits(128), fits(129)]).toEqual([true, false])
})

describe.skipIf(!found)('[N 2] a user of a proxy who comes with another role to one process', () => {
  let cluster: TestCluster
  let bus: Bus
  beforeAll(async () => {
    const env = {
      PROXY_AUTH_SECRET: secret,
      PROXY_AUTH_USER_HEADER: 'X-User',
      PROXY_AUTH_ROLE_HEADER: 'X-Roles',
      PULSE_TRUSTED_PROXIES: '127.0.0.1',
    }
    cluster = await startCluster({ a: env, b: env })
    const settings = { servers: [`127.0.0.1:${cluster.nats[0]!.port}`], isEncrypted: false }
    bus = await openBus(settings, { name: 'other', clock: realClock, onLost: () => {}, onBack: () => {} })
  })
  afterAll(async () => {
    await bus?.close()
    await cluster?.remove()
  })
  const proxied = ({ url }: ClusterProcess, user: string, roles: string) => ({
    'x-proxy-secret': secret,
    'x-user': user,
    'x-roles': roles,
    origin: url,
  })
  const open = (at: ClusterProcess, user: string, roles: string) =>
    connectLive(at.url, { delta: true, headers: proxied(at, user, roles) })
  const visit = (at: ClusterProcess, user: string, roles: string) =>
    at.as(proxied(at, user, roles))('GET', '/api/stats')

  test('loses the sockets of the earlier role at the other, and no one else does', async () => {
    const [a, b] = cluster.processes as [ClusterProcess, ClusterProcess]
    const [pia, paul] = await Promise.all([open(b, 'pia', 'admin'), open(b, 'paul', 'admin')])
    expect((await visit(a, 'paul', 'admin')).status).toBe(200)
    expect((await visit(a, 'pia', 'users')).status).toBe(200)
    expect(await pia.closed).toMatchObject({ code: 4401 })
    paul.send({ type: 'ping' })
    await expect
      .poll(() => paul.texts.some(({ type }) => type === 'pong'), { timeout: within(10_000) })
      .toBe(true)
    paul.close()
  })

  test('gets no role from the message', async () => {
    const [, b] = cluster.processes as [ClusterProcess, ClusterProcess]
    const live = await open(b, 'petra', 'users')
    bus.nats.publish(proxyRoles, packed(JSON.stringify({ from: 'someone', name: 'petra', role: 'admin' })))
    expect(await live.closed).toMatchObject({ code: 4401 })
    const { status } = await b.as(proxied(b, 'petra', 'users'))('POST', '/api/security/tokens', {
      name: 'of a viewer',
    })
    expect(status).toBe(403)
  })
})
