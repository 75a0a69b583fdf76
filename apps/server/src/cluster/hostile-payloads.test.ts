import type { Diagnostics, PlainState } from '@pulse/contract'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { realClock } from '../edges.ts'
import { urlOf } from '../testing/database-of-tests.ts'
import { connectLive, type LiveClient } from '../testing/live-client.ts'
import { hasNats, type NatsServer, startNats } from '../testing/nats-server.ts'
import { addUser } from '../testing/people.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'
import { existingBucket } from './nats/bucket.ts'
import { type Bus, openBus } from './nats/bus.ts'
import { bomb, hostileHeads, payloads } from './fixtures-hostile-payloads.ts'
import { openPresence } from './presence.ts'
import {
  changedRows,
  events,
  proxyRoles,
  framesOf,
  leaderCalls,
  leaseBucket,
  leaseBucketOf,
  presenceBucket,
  presenceBucketOf,
  resendOf,
  siteSubjects,
  token,
  unsavedWrites,
} from './nats/subjects.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

describe.skipIf(!found)('[N 2] payloads that no process sends', () => {
  let [postgres, nats]: [PostgresServer, NatsServer] = [] as never
  let servers: TestServer[] = []
  /** of another site */
  let berlin: TestServer
  let stranger: Bus
  let pages: LiveClient[] = []
  let deposed: string[] = []
  beforeAll(async () => {
    ;[postgres, nats] = await Promise.all([startPostgres(), startNats()])
    const env = {
      API_TOKENS: adminToken,
      PULSE_DATABASE_URL: urlOf(await postgres.database()),
      PULSE_NATS_URL: `nats://127.0.0.1:${nats.port}`,
    }
    const a = await startTestServer(realClock, env)
    const PULSE_ENCRYPTION_KEY_FILE = path.join(a.dataDir, '.encryption.key')
    servers = [
      a,
      await startTestServer(realClock, { ...env, PULSE_ENCRYPTION_KEY_FILE, PULSE_ROLES: 'serve' }),
    ]
    berlin = await startTestServer(realClock, {
      ...env,
      PULSE_ENCRYPTION_KEY_FILE,
      PULSE_ROLES: 'collect',
      PULSE_SITE: 'Berlin',
    })
    a.server.onDeposed((why) => void deposed.push(why))
    await vi.waitFor(
      async () => expect((await servers[1]!.call('GET', '/api/alerts/config')).status).toBe(200),
      { timeout: within(30_000) },
    )
    await addUser(a, 'anna', 'admin')
    for (const [n, site] of ['main', 'Berlin'].entries())
      await a.call('POST', '/api/config/nodes', {
        type: 'pve',
        name: site,
        site,
        host: `https://127.0.0.${n + 1}:1`,
        tokenName: 'x@pam!x',
        tokenValue: 'x',
      })
    await vi.waitFor(async () => expect(await sources()).toEqual([1, 1]), {
      timeout: within(60_000),
      interval: 500,
    })
    await vi.waitFor(async () => expect((await all(servers[1]!)).stored).toEqual((await all(a)).stored), {
      timeout: within(30_000),
    })
    await servers[1]!.call('POST', '/api/system/settings/update', { theme: 'dark' })
    stranger = await openBus(
      { servers: [`127.0.0.1:${nats.port}`], isEncrypted: false },
      { name: 'stranger', clock: realClock, onLost: () => {}, onBack: () => {} },
    )
    pages = await Promise.all(servers.map(({ url }) => connectLive(url)))
  })
  afterAll(async () => {
    for (const page of pages) page.close()
    await stranger?.close()
    for (const server of [...servers, berlin].toReversed()) await server?.stop()
    await Promise.all([nats?.remove(), postgres?.remove()])
  })

  /** how many each site collects */
  const sources = () =>
    Promise.all(
      [servers[0]!, berlin].map(async (one) =>
        Number(/^pulse_cluster_sources (\d+)$/m.exec((await one.call('GET', '/metrics')).text)?.[1]),
      ),
    )

  /** What must stay as it is. */
  async function all(one: TestServer) {
    const get = async (where: string) => (await one.call('GET', where)).body
    const { nodes, vms, containers, dockerHosts, activeAlerts } = (await get('/api/state')) as PlainState
    const [users, tokens, settings, webhooks] = await Promise.all(
      ['security/users', 'security/tokens', 'system/settings', 'notifications/webhooks'].map((what) =>
        get(`/api/${what}`),
      ),
    )
    const { processes } = (await get('/api/diagnostics')) as Diagnostics
    const unused = JSON.stringify(tokens, (key, value: unknown) => (key === 'lastUsedAt' ? undefined : value))
    return {
      estate: [nodes, vms, containers, dockerHosts, activeAlerts],
      stored: [users, unused, settings, webhooks],
      settings,
      leads: processes!.map(({ leads }) => leads),
    }
  }

  const own = siteSubjects('Berlin')
  const subjects: Record<string, string> = {
    frames: framesOf('main', 'x'),
    'frames of the process that leads': framesOf(undefined, 'alerts'),
    resend: resendOf('main', 'x'),
    'resend of the process that leads': resendOf(undefined, 'alerts'),
    rows: changedRows,
    calls: leaderCalls,
    answers: `${leaderCalls}.answers.${randomUUID()}`,
    'unsaved writes': unsavedWrites,
    events,
    'roles of users of a proxy': proxyRoles,
    asks: own.asks,
    'answers to a site': `${own.answers}.${randomUUID()}`,
    tasks: own.tasks,
    results: `${own.results}.${randomUUID()}`,
    'changes of a site': own.changed,
  }

  function publishAll(subject: string) {
    for (const head of hostileHeads())
      for (const payload of Object.values(payloads))
        for (const reply of [undefined, `${leaderCalls}.answers.${randomUUID()}`])
          stranger.nats.publish(subject, payload, {
            ...(head && { headers: head }),
            ...(reply !== undefined && { reply }),
          })
    stranger.nats.publish(subject, bomb)
  }

  async function isAsBefore(before: Awaited<ReturnType<typeof all>>[]) {
    await stranger.nats.flush()
    for (const [n, one] of servers.entries()) expect(await all(one)).toEqual(before[n])
    expect(await sources()).toEqual([1, 1])
    expect(deposed).toEqual([])
    for (const page of pages) expect(page.socket.readyState).toBe(page.socket.OPEN)
    // a call that changes something still reaches the process that leads
    const theme = { theme: before[0]!.settings && 'dark' }
    expect((await servers[1]!.call('POST', '/api/system/settings/update', theme)).status).toBe(200)
    const errors = [...servers, berlin].flatMap(({ logLines }) =>
      logLines.filter((line) => /"level":(50|60)/.test(line)),
    )
    expect(errors.filter((line) => !line.includes('no record of this Pulse'))).toEqual([])
  }

  test.each(Object.entries(subjects))('on the subject for %s change nothing', async (_what, subject) => {
    const before = await Promise.all(servers.map(all))
    publishAll(subject)
    await isAsBefore(before)
  })

  const leaseKeys = (site: string) => ['x', `${token(site)}.${token('no source')}`, `${token('x')}.x.x`]
  const cardKeys = ['x', 'x.x', `${token('main')}.x`, `${token('Berlin')}.x`, '_']
  test.each([
    ['leases', leaseBucket, ['leader.x', ...leaseKeys('main')]],
    ['leases of a site', leaseBucketOf('Berlin'), ['leader', 'leader.x', ...leaseKeys('Berlin')]],
    ['processes', presenceBucket, cardKeys],
    ['processes of a site', presenceBucketOf('Berlin'), cardKeys],
  ])('as entries of the bucket of %s change nothing', async (_what, name, keys) => {
    const before = await Promise.all(servers.map(all))
    const card = { id: 'stranger', host: 'x', site: 'main', version: '1', roles: [], startedAt: 1 }
    const presence = await openPresence({
      bus: stranger,
      own: () => ({ ...card, leads: false, sources: 0, waiting: 0 }),
      clock: realClock,
      onFault() {},
    })
    const ids = async () => (await presence.list()).map(({ id }) => id)
    const idsBefore = await ids()
    const { kv } = await existingBucket(stranger, name)
    for (const key of keys)
      for (const payload of Object.values(payloads)) {
        await kv.put(key, payload).catch(unlessFull)
      }
    expect([idsBefore.length, await ids()]).toEqual([4, idsBefore])
    await isAsBefore(before)
    for (const key of keys) await kv.purge(key)
    await presence.leave()
  })

  test('for the database do not keep the next process from leading', async () => {
    const { stored } = await all(servers[1]!)
    publishAll(unsavedWrites)
    await stranger.nats.flush()
    await servers[0]!.restart()
    await vi.waitFor(async () => expect((await all(servers[1]!)).leads).toContain(true), {
      timeout: within(60_000),
      interval: 500,
    })
    expect((await all(servers[1]!)).stored).toEqual(stored)
    expect(servers[0]!.logLines.filter((line) => line.includes('no record of this Pulse'))).not.toEqual([])
    const written = await servers[1]!.call('POST', '/api/system/settings/update', { theme: 'dark' })
    expect(written.status).toBe(200)
  })
})

/** The buckets of a site are small. */
function unlessFull(error: unknown) {
  if (!String(error).includes('maximum bytes exceeded')) throw error
}
