import type { PerformanceReply, PlainState } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import path from 'node:path'
import type * as z from 'zod/mini'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { realClock } from '../edges.ts'
import { urlOf } from '../testing/database-of-tests.ts'
import { hasNats, type NatsServer, startNats } from '../testing/nats-server.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const limit = { timeout: within(60_000) }

describe.skipIf(!found)('[N 3] two servers on one database and one NATS', () => {
  let postgres: PostgresServer
  let nats: NatsServer
  let lab: Lab
  let [a, b]: [TestServer, TestServer] = [undefined, undefined] as never
  let env: NodeJS.ProcessEnv

  const guestsOf = async (server: TestServer) => {
    const { vms, containers } = (await server.call('GET', '/api/state')).body as PlainState
    return [...vms, ...containers].map(({ name }) => name).toSorted()
  }
  const sourcesOf = async (server: TestServer) =>
    ((await server.call('GET', '/api/config/nodes')).body as { name: string; status: string }[])
      .map(({ name, status }) => `${name} ${status}`)
      .toSorted()
  /** the connections that this server has asked within the last minute */
  const askedBy = async (server: TestServer) => {
    const { connections } = (await server.call('GET', '/api/performance')).body as z.infer<
      typeof PerformanceReply
    >
    return Object.values(connections)
      .filter(({ listCallsPerMinute }) => listCallsPerMinute > 0)
      .map(({ name }) => name)
  }

  beforeAll(async () => {
    postgres = await startPostgres()
    nats = await startNats()
    lab = await startLab({ nodes: 2, guests: 6, pbs: 1, pmg: 1, authDelayMs: 0, loadPeriodMs: 0 })
    env = {
      API_TOKENS: adminToken,
      PULSE_DATABASE_URL: urlOf(await postgres.database()),
      PULSE_NATS_URL: `nats://127.0.0.1:${nats.port}`,
    }
    a = await startTestServer(realClock, env)
    env['PULSE_ENCRYPTION_KEY_FILE'] = path.join(a.dataDir, '.encryption.key')
    b = await startTestServer(realClock, env)
    const [node] = lab.clusters[0]!.nodes
    const all = [
      ['pve', node!, lab.credentials],
      ['pbs', lab.pbs[0]!, lab.pbs[0]!.credentials],
      ['pmg', lab.pmg[0]!, lab.pmg[0]!.credentials],
    ] as const
    for (const [type, { url, fingerprint }, given] of all) {
      const sign =
        type === 'pmg'
          ? {
              user: 'user' in given ? given.user : 'root@pam',
              password: 'password' in given ? given.password : '',
            }
          : {
              tokenName: (given as typeof lab.credentials).tokenId,
              tokenValue: (given as typeof lab.credentials).tokenSecret,
            }
      const { status, text } = await a.call('POST', '/api/config/nodes', {
        type,
        name: type,
        host: url,
        fingerprint,
        ...sign,
      })
      expect([status, text]).toEqual([201, expect.any(String)])
    }
  })
  afterAll(async () => {
    await a?.stop()
    await b?.stop()
    await lab?.close()
    await nats?.remove()
    await postgres?.remove()
  })

  test('have the same connections and the same estate, whichever was asked to add them', async () => {
    await expect.poll(() => guestsOf(a), limit).toHaveLength(6)
    expect(await guestsOf(a)).toHaveLength(6)
    await expect.poll(() => guestsOf(b), limit).toEqual(await guestsOf(a))
    const connected = ['pbs connected', 'pmg connected', 'pve connected']
    for (const server of [a, b]) await expect.poll(() => sourcesOf(server), limit).toEqual(connected)
    const refused = [a, b].flatMap(({ logLines }) => logLines.filter((line) => line.includes('was refused')))
    expect(refused).toEqual([])
  })

  test('ask each source from one of them', async () => {
    const [one, other] = [await askedBy(a), await askedBy(b)]
    expect([...one, ...other].toSorted()).toEqual(['pbs', 'pmg', 'pve'])
    expect(Math.abs(one.length - other.length)).toBe(1)
  })

  test('show a change of the estate on both', async () => {
    lab.control.patchGuest(100, { name: 'renamed' })
    for (const server of [a, b]) await expect.poll(() => guestsOf(server), limit).toContain('renamed')
  })

  test('while one of them is stopped, the other one asks all, and nothing is shown as lost', async () => {
    await a.pausedFor(async () => {
      await expect.poll(() => askedBy(b), limit).toHaveLength(3)
      expect(await guestsOf(b)).toContain('renamed')
      expect(await sourcesOf(b)).toEqual(['pbs connected', 'pmg connected', 'pve connected'])
      lab.control.patchGuest(100, { name: 'meanwhile' })
      await expect.poll(() => guestsOf(b), limit).toContain('meanwhile')
    })
    // the one that was started again has all of it at once
    await expect.poll(() => guestsOf(a), limit).toContain('meanwhile')
  })
})
