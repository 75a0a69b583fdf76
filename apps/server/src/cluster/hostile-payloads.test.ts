import type { Diagnostics, PlainState } from '@pulse/contract'
import { headers, type MsgHdrs } from '@nats-io/transport-node'
import { randomBytes, randomUUID } from 'node:crypto'
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
import { existingBucket } from './bucket.ts'
import { type Bus, openBus } from './bus.ts'
import { packed } from './parts.ts'
import { openPresence } from './presence.ts'
import {
  changedRows,
  events,
  framesOf,
  leaderCalls,
  leaseBucket,
  presenceBucket,
  resendOf,
  siteSubjects,
  token,
} from './subjects.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const text = (value: string) => Buffer.from(value)
const json = (value: unknown) => packed(JSON.stringify(value))

const payloads: Record<string, Uint8Array> = {
  nothing: text(''),
  noise: randomBytes(2_000),
  zeros: new Uint8Array(500_000),
  NUL: text('\0'),
  'half a text': Buffer.from([0xe2, 0x82]),
  'names of no table': text('stranger __proto__ constructor toString nope'),
  'many names': text(`stranger ${'users '.repeat(5_000)}`),
  'plain JSON': text('{"from":"stranger","event":{"type":"alert"}}'),
  'packed noise': packed(randomBytes(1_000)),
  'packed half JSON': packed('{"a":'),
  null: json(null),
  'a list': json([[[[1]]]]),
  'a deep list': packed(`${'['.repeat(50_000)}${']'.repeat(50_000)}`),
  'a prototype': packed('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}'),
  'an unknown event': json({ from: 'stranger', event: { type: 'nope', data: {} } }),
  'an event of wrong types': json({ from: {}, event: { type: 'alert', data: { toString: 1 } } }),
  'a frame of nothing': json({ source: 'x', run: 1, sequence: 'x', records: { guests: 5 } }),
  'a frame of a kind with a long name': json({
    source: 'x',
    run: 'r.1',
    sequence: 1,
    begins: true,
    records: { ['k'.repeat(1_000_000)]: { put: [['y:1', { source: 'y' }]], remove: [] } },
  }),
  'a frame of 10,000 kinds': json({
    source: 'x',
    run: 'r.1',
    sequence: 1,
    begins: true,
    records: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [n, { put: [], remove: [] }])),
  }),
  'a card of wrong types': text('{"id":{},"site":"main","roles":{"length":-1},"startedAt":"x"}'),
}
/** More than 64 MiB when it is unpacked: once for each subject, because it takes its time. */
const bomb = packed(new Uint8Array(80 * 1024 * 1024))

const heads: Record<string, Record<string, string>> = {
  'no heads': {},
  'a part of too many': {
    'Pulse-Part': '1',
    'Pulse-Parts': '1000000',
    'Pulse-Call': 'x.1',
    'Pulse-Fence': 'x',
  },
  'parts that are no numbers': { 'Pulse-Part': 'x', 'Pulse-Parts': '-1', 'Pulse-Call': '__proto__' },
  'one whole': {
    'Pulse-Part': '1',
    'Pulse-Parts': '1',
    'Pulse-Call': 'constructor.NaN',
    'Pulse-Question': 'x',
    'Pulse-Fence': `${'0'.repeat(15)}.${'0'.repeat(16)}`,
  },
  'a lead': { 'Pulse-Lead': '__proto__', 'Pulse-Forgotten': '', 'Pulse-Refused': '' },
}

describe.skipIf(!found)('[N 2] payloads that no process sends', () => {
  let [postgres, nats]: [PostgresServer, NatsServer] = [] as never
  let servers: TestServer[] = []
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
    a.server.onDeposed((why) => void deposed.push(why))
    await vi.waitFor(
      async () => expect((await servers[1]!.call('GET', '/api/alerts/config')).status).toBe(200),
      { timeout: within(30_000) },
    )
    await addUser(a, 'anna', 'admin')
    await vi.waitFor(async () => expect((await all(servers[1]!)).stored).toEqual((await all(a)).stored), {
      timeout: within(30_000),
    })
    stranger = await openBus(
      { servers: [`127.0.0.1:${nats.port}`], isEncrypted: false },
      { name: 'stranger', clock: realClock, onLost: () => {}, onBack: () => {} },
    )
    pages = await Promise.all(servers.map(({ url }) => connectLive(url)))
  })
  afterAll(async () => {
    for (const page of pages) page.close()
    await stranger?.close()
    for (const server of servers.toReversed()) await server.stop()
    await Promise.all([nats?.remove(), postgres?.remove()])
  })

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
    events,
    asks: own.asks,
    'answers to a site': `${own.answers}.${randomUUID()}`,
    tasks: own.tasks,
    results: `${own.results}.${randomUUID()}`,
    'changes of a site': own.changed,
  }

  async function isAsBefore(before: Awaited<ReturnType<typeof all>>[]) {
    await stranger.nats.flush()
    for (const [n, one] of servers.entries()) expect(await all(one)).toEqual(before[n])
    expect(deposed).toEqual([])
    for (const page of pages) expect(page.socket.readyState).toBe(page.socket.OPEN)
    // a call that changes something still reaches the process that leads
    const theme = { theme: before[0]!.settings && 'dark' }
    expect((await servers[1]!.call('POST', '/api/system/settings/update', theme)).status).toBe(200)
    expect(
      servers.flatMap(({ logLines }) => logLines.filter((line) => /"level":(50|60)/.test(line))),
    ).toEqual([])
  }

  test.each(Object.entries(subjects))('on the subject for %s change nothing', async (_what, subject) => {
    await servers[1]!.call('POST', '/api/system/settings/update', { theme: 'dark' })
    const before = await Promise.all(servers.map(all))
    for (const given of Object.values(heads)) {
      let head: MsgHdrs | undefined
      for (const [name, value] of Object.entries(given)) (head ??= headers()).set(name, value)
      for (const payload of Object.values(payloads))
        for (const reply of [undefined, `${leaderCalls}.answers.${randomUUID()}`])
          stranger.nats.publish(subject, payload, {
            ...(head && { headers: head }),
            ...(reply !== undefined && { reply }),
          })
    }
    stranger.nats.publish(subject, bomb)
    await isAsBefore(before)
  })

  test.each([
    ['leases', leaseBucket, ['leader.x', 'x', `${token('main')}.${token('no source')}`, `${token('x')}.x.x`]],
    ['processes', presenceBucket, ['x', 'x.x', `${token('main')}.x`, `${token('Berlin')}.x`, '_']],
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
        await kv.put(key, payload)
      }
    expect([idsBefore.length, await ids()]).toEqual([3, idsBefore])
    await isAsBefore(before)
    for (const key of keys) await kv.purge(key)
    await presence.leave()
  })
})
