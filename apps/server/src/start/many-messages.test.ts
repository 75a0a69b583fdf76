import { webhookDefaults } from '@pulse/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aChange } from '../alerts/fixtures.ts'
import { toAlertRow } from '../alerts/rows.ts'
import { scale } from '../auth/fixtures.ts'
import type { Database } from '../db/database.ts'
import { settingsStore } from '../db/settings.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { isOnPostgres } from '../testing/database-of-tests.ts'
import { openDataOf } from '../auth/fixtures.ts'

/** With PULSE_TEST_SCALE=10: 100 webhooks, each with 10,000 sent alerts. */
const webhooks = scale > 1 ? 100 : 20
const alerts = scale > 1 ? 10_000 : 2_000
/** size of an alert with its texts */
const bytes = 2_200

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const startTime = new Date(Date.now() - 60_000).toISOString()
const open = (n: number) =>
  aChange(
    { id: `guest-${n}-cpu`, metadata: { words: 'x'.repeat(bytes) }, startTime, lastSeen: startTime },
    { record: `pve-1:${n}` },
  )

async function countIn({ query }: Database, table: 'notification_log' | 'alerts') {
  const { n } = await query
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** Stores the data of a site that has sent every alert to every destination. */
async function fill() {
  const { db, maintenance, vault } = await openDataOf(server.dataDir)
  const list = Array.from({ length: webhooks }, (_, n) => ({
    ...webhookDefaults,
    id: `hook-${n}`,
    name: `hook ${n}`,
    url: `http://127.0.0.1:9/${n}`,
    enabled: true,
  }))
  await settingsStore(db, vault, Date.now).write('notifications.webhooks', JSON.stringify(list))
  for (let from = 0; from < alerts; from += 500) {
    const rows = Array.from({ length: 500 }, (_, n) => toAlertRow(open(from + n)))
    await db.transaction(rows.map((row) => db.query.insertInto('alerts').values(row).compile()))
  }
  for (const { id } of list)
    await maintenance.run([
      {
        sql: `INSERT INTO notification_log SELECT stored ->> 'episode', ?1, json_object('episode', stored ->> 'episode',
          'channelId', ?1, 'alert', stored -> 'alert', 'at', ?2, 'level', 'warning', 'escalatedAfter', 0,
          'isDelivered', json('true')) FROM alerts`,
        parameters: [`webhook:${id}`, Date.now()],
      },
    ])
  await maintenance.close()
}

test.skipIf(isOnPostgres)(
  `[R8] Pulse starts with ${webhooks} webhooks that were sent ${alerts} alerts each, and forgets none of it`,
  async () => {
    await server.pausedFor(fill)
    expect((await server.call('GET', '/api/alerts/active?limit=700&offset=1400')).body).toHaveLength(
      scale > 1 ? 700 : 600,
    )
    expect(server.logLines.filter((line) => /thread|could not|cannot/.test(line))).toEqual([])
    await server.pausedFor(async () => {
      const { db, maintenance } = await openDataOf(server.dataDir)
      expect(await countIn(db, 'notification_log')).toBe(webhooks * alerts)
      expect(await countIn(db, 'alerts')).toBe(alerts)
      await maintenance.close()
    })
  },
)
