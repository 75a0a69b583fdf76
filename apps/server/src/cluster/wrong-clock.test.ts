import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { type ClusterProcess, startCluster, type TestCluster } from '../testing/cluster.ts'
import { hasNats } from '../testing/nats-server.ts'
import { addUser, signIn } from '../testing/people.ts'
import { hasPostgres } from '../testing/postgres-server.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const dayMs = 86_400_000
const limit = { timeout: within(60_000), interval: 100 }

describe.skipIf(!found)('[N 6] a process that starts with a clock two days ahead', () => {
  let cluster: TestCluster
  beforeAll(async () => {
    cluster = await startCluster({ a: {}, b: {} })
  })
  afterAll(async () => {
    await cluster?.remove()
  })

  test('signs no one out', { timeout: within(120_000) }, async () => {
    const [a, b] = cluster.processes as [ClusterProcess, ClusterProcess]
    await addUser(a, 'ann', 'viewer')
    const session = await signIn(a, 'ann')
    const statuses = async () => {
      const replies = await Promise.all([a, b].map((one) => one.as(session)('GET', '/api/state')))
      return replies.map(({ status }) => status)
    }
    await expect.poll(statuses, limit).toEqual([200, 200])
    await b.kill()
    b.setClock(2 * dayMs)
    await b.start()
    await expect.poll(statuses, limit).toEqual([200, 200])
    // what leads now has the wrong clock, and stores what it knows
    await a.stop()
    const list = async () => (await b.as(session)('GET', '/api/state')).status
    await expect.poll(list, limit).toBe(200)
    await a.start()
    expect(await statuses()).toEqual([200, 200])
  })
})
