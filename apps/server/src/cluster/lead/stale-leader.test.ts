import type { Readiness } from '@pulse/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { type ClusterProcess, startCluster, type TestCluster } from '../../testing/cluster.ts'
import { hasNats } from '../../testing/nats-server.ts'
import { hasPostgres } from '../../testing/postgres-server.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const limit = { timeout: within(60_000), interval: 50 }

describe.skipIf(!found)('[N 3] a process that led before it was stopped', () => {
  let cluster: TestCluster

  beforeAll(async () => {
    cluster = await startCluster({ a: {}, b: {} })
  })
  afterAll(async () => {
    await cluster?.remove()
  })

  test(
    'knows nothing better than the one that leads: what came meanwhile is not missing for it',
    { timeout: within(120_000) },
    async () => {
      const [a, b] = cluster.processes as [ClusterProcess, ClusterProcess]
      await expect.poll(() => a.leads(), limit).toHaveLength(1)
      a.freeze()
      await expect.poll(() => b.leads(), limit).toHaveLength(1)
      const tokens = []
      for (let n = 0; n < 5; n++) {
        const made = await b.call('POST', '/api/security/tokens', { name: `token ${n}` })
        expect(made.status).toBeLessThan(300)
        tokens.push((made.body as { record: { id: string } }).record.id)
      }
      const asked = tokens.map((id) => a.call('DELETE', `/api/security/tokens/${id}`))
      a.thaw()
      const statuses = await Promise.all(asked.map(async (one) => (await one.catch(() => undefined))?.status))
      expect(statuses).not.toContain(404)
    },
  )

  test(
    'neither does one that the database has confirmed just before another one took the lead',
    { timeout: within(120_000) },
    async () => {
      const [a, b] = cluster.processes as [ClusterProcess, ClusterProcess]
      const leaders = async () => {
        const replies = await Promise.all(
          [a, b].map(async (one) => (await one.call('GET', '/api/health/ready')).body as Readiness),
        )
        return replies.map(({ leads }) => leads).join()
      }
      await expect.poll(leaders, limit).toBe('false,true')
      const [old, next] = [b, a]
      const before = next.leads().length
      old.line.cut()
      // so that the database has confirmed it within the last two seconds, but not since another one took the lead
      for (let n = 0; next.leads().length === before; n++) {
        await old.call('PUT', '/api/guests/metadata/x:y:1', { customUrl: `https://example.com/${n}` })
        await expect
          .poll(() => next.leads().length !== before, { timeout: 1_000, interval: 20 })
          .toBe(true)
          .catch(() => {})
      }
      await expect
        .poll(async () => (await next.call('GET', '/api/health/ready')).body, limit)
        .toMatchObject({ leads: true })
      const made = await next.call('POST', '/api/security/tokens', { name: 'of the new one' })
      const { id } = (made.body as { record: { id: string } }).record
      // it may be on its way to start again
      const answer = await old.call('DELETE', `/api/security/tokens/${id}`).catch(() => undefined)
      old.line.thaw()
      expect(answer?.status).not.toBe(404)
    },
  )
})
