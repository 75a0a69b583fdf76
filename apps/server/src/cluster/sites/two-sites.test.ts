import type { PlainState } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { realClock } from '../../edges.ts'
import { urlOf } from '../../testing/database-of-tests.ts'
import { hasNats, type NatsServer, startNats } from '../../testing/nats-server.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../testing/postgres-server.ts'
import { adminToken, startTestServer, type TestServer } from '../../testing/server.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const limit = { timeout: within(60_000) }

describe.skipIf(!found)('[N 4] of two processes at two sites', () => {
  let [postgres, nats, lab]: [PostgresServer, NatsServer, Lab] = [] as never
  let [main, berlin]: [TestServer, TestServer] = [] as never

  /** how many this process collects */
  const sourcesOf = async (one: TestServer) => {
    const { text } = await one.call('GET', '/metrics')
    return Number(/^pulse_cluster_sources (\d+)$/m.exec(text)?.[1])
  }
  const sources = async () => [await sourcesOf(main), await sourcesOf(berlin)]
  const connection = async () => {
    const { body } = await main.call('GET', '/api/config/nodes')
    return (body as { site?: string; status: string }[])[0]!
  }

  beforeAll(async () => {
    ;[postgres, nats, lab] = await Promise.all([
      startPostgres(),
      startNats(),
      startLab({ nodes: 1, guests: 2, authDelayMs: 0, loadPeriodMs: 0 }),
    ])
    const env = {
      API_TOKENS: adminToken,
      PULSE_DATABASE_URL: urlOf(await postgres.database()),
      PULSE_NATS_URL: `nats://127.0.0.1:${nats.port}`,
    }
    main = await startTestServer(realClock, env)
    const PULSE_ENCRYPTION_KEY_FILE = path.join(main.dataDir, '.encryption.key')
    berlin = await startTestServer(realClock, { ...env, PULSE_ENCRYPTION_KEY_FILE, PULSE_SITE: 'berlin' })
  })
  afterAll(async () => {
    await berlin?.stop()
    await main?.stop()
    await lab?.close()
    await Promise.all([nats?.remove(), postgres?.remove()])
  })

  test('each collects the connections of its own only, also when the other one is gone, whose node is not called dead', async () => {
    const { url: host, fingerprint } = lab.clusters[0]!.nodes[0]!
    const { tokenId: tokenName, tokenSecret: tokenValue } = lab.credentials
    const input = { type: 'pve', name: 'pve', site: 'berlin', host, fingerprint, tokenName, tokenValue }
    const { status, text } = await main.call('POST', '/api/config/nodes', input)
    expect([status, text]).toEqual([201, expect.any(String)])
    await expect.poll(sources, limit).toEqual([0, 1])
    await expect.poll(connection, limit).toMatchObject({ site: 'berlin', status: 'connected' })
    await berlin.pausedFor(async () => {
      // so long that a process of its own site would have taken it
      await expect.poll(connection, limit).toMatchObject({ error: 'No word from site berlin.' })
      expect(await sourcesOf(main)).toBe(0)
      // its node may be well
      const { body } = await main.call('GET', '/api/state')
      expect((body as PlainState).nodes).toMatchObject([{ status: 'online', connectionHealth: 'unknown' }])
    })
    await expect.poll(sources, limit).toEqual([0, 1])
    await expect.poll(connection, limit).toMatchObject({ status: 'connected' })
  })
})
