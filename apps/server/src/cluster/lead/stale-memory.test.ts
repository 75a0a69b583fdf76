import type { Readiness } from '@pulse/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { type ClusterProcess, startCluster, type TestCluster } from '../../testing/cluster.ts'
import { hasNats } from '../../testing/nats-server.ts'
import { hasPostgres } from '../../testing/postgres-server.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const limit = { timeout: within(60_000), interval: 50 }
const secret = 'proxy-secret-0123456789'

describe.skipIf(!found)('[N 3] the memory of a process that led before it was stopped', () => {
  let cluster: TestCluster
  beforeAll(async () => {
    const env = {
      PROXY_AUTH_SECRET: secret,
      PROXY_AUTH_USER_HEADER: 'X-User',
      PULSE_TRUSTED_PROXIES: '127.0.0.1',
    }
    cluster = await startCluster({ a: env, b: env })
  })
  afterAll(async () => {
    await cluster?.remove()
  })
  const leads = async (one: ClusterProcess) =>
    ((await one.call('GET', '/api/health/ready').catch(() => undefined))?.body as Readiness)?.leads
  /** The one that leads, and the other one, which may have to start again first. */
  async function inOrder() {
    const [a, b] = cluster.processes as [ClusterProcess, ClusterProcess]
    const found = async () => (await Promise.all([leads(a), leads(b)])).map(String).toSorted().join()
    await expect.poll(found, limit).toBe('false,true')
    return (await leads(a)) ? ([a, b] as const) : ([b, a] as const)
  }
  /** Undefined: the process has closed the connection, on its way to start again. */
  const statusOf = (asked: ReturnType<ClusterProcess['call']>) =>
    asked.then(
      ({ status }) => status,
      () => undefined,
    )
  const proxied = ({ url }: ClusterProcess) => ({ 'x-proxy-secret': secret, 'x-user': 'pia', origin: url })

  test(
    'is not asked when its connections to the database have ended meanwhile',
    { timeout: within(120_000) },
    async () => {
      const [old, next] = await inOrder()
      old.freeze()
      await cluster.postgres.admin(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pulse'",
      )
      await expect.poll(() => leads(next), limit).toBe(true)
      const made = await next.call('POST', '/api/security/tokens', { name: 'of the new one' })
      const { id } = (made.body as { record: { id: string } }).record
      // a proxy says who pia is, so that rights that cannot be read do not keep her out
      const asked = statusOf(old.as(proxied(old))('DELETE', `/api/security/tokens/${id}`))
      old.thaw()
      expect([undefined, 200, 204, 503]).toContain(await asked)
    },
  )

  test(
    'has no more locks of accounts for programs that send a password with each call',
    { timeout: within(120_000) },
    async () => {
      const [old, next] = await inOrder()
      const [name, password] = ['anna', 'a password of anna 1']
      const added = await old.call('POST', '/api/security/users', { name, password, role: 'admin' })
      expect(added.status).toBe(201)
      const visit = (at: ClusterProcess, given: string) =>
        at.as({ authorization: `Basic ${Buffer.from(`${name}:${given}`).toString('base64')}` })(
          'GET',
          '/api/stats',
        )
      for (let n = 0; n < 5; n++) await visit(old, 'a wrong one')
      expect((await visit(old, password)).status).toBe(403)
      old.freeze()
      await expect.poll(() => leads(next), limit).toBe(true)
      await next.call('POST', '/api/security/reset-lockout', { identifier: name })
      const asked = statusOf(visit(old, password))
      old.thaw()
      expect([undefined, 200, 503]).toContain(await asked)
    },
  )
})
