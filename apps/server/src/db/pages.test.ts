import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aGround, type Ground } from '../auth/fixtures.ts'
import { alertStore } from './alerts.ts'
import { deliveryStore } from './deliveries.ts'
import type { DatabaseEvent } from './open.ts'
import { collect, pageRows, tablePages, wholeTable } from './pages.ts'
import { openData } from '../start/open-data.ts'

let ground: Ground
let events: DatabaseEvent[]
beforeAll(async () => {
  ground = await aGround()
  await ground.maintenance.close()
  events = []
  Object.assign(
    ground,
    await openData(ground.dataDir, undefined, Date.now(), { onEvent: (event) => events.push(event) }),
  )
})
afterAll(async () => {
  expect(events).toEqual([])
  await ground.end()
})
beforeEach(() => ground.maintenance.run([{ sql: 'DELETE FROM notification_log', parameters: [] }]))

/** SQLite itself creates this many rows of this many characters. */
const fill = (rows: number, characters: number) =>
  ground.maintenance.run([
    {
      sql: `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT ${rows})
        INSERT INTO notification_log SELECT 'e' || (x % 7), 'c' || x, hex(zeroblob(${characters / 2})) FROM n`,
      parameters: [],
    },
  ])

describe('a table that is far larger than the memory of the database thread', () => {
  beforeEach(() => fill(30_000, 3_000))

  test('is read page by page, each row once, in the order of its key', async () => {
    const seen: string[] = []
    let most = 0
    for await (const rows of tablePages(ground.db, 'notification_log', ['episode', 'channel_id'])) {
      most = Math.max(most, rows.length)
      for (const { episode, channel_id } of rows) seen.push(`${episode} ${channel_id}`)
    }
    expect(new Set(seen).size).toBe(30_000)
    expect(seen).toEqual(seen.toSorted())
    // long rows give a shorter page
    expect(most).toBeLessThan(pageRows)
  })

  test('asked for as a whole it is refused, and the thread goes on', async () => {
    await expect(ground.db.query.selectFrom('notification_log').selectAll().execute()).rejects.toThrow(
      'page by page',
    )
    expect(
      await ground.db.query.selectFrom('notification_log').select('entry').limit(3).execute(),
    ).toHaveLength(3)
  })
})

test('a row longer than a page is a page of its own', async () => {
  await fill(3, 8_000_000)
  const pages = []
  for await (const rows of tablePages(ground.db, 'notification_log', ['episode', 'channel_id']))
    pages.push(rows.length)
  expect(pages).toEqual([1, 1, 1])
})

test('what is written while it is read neither doubles nor hides the rest', async () => {
  await fill(2 * pageRows + 1, 10)
  const seen: string[] = []
  for await (const rows of tablePages(ground.db, 'notification_log', ['channel_id'])) {
    for (const { channel_id } of rows) seen.push(channel_id)
    await ground.db.query
      .deleteFrom('notification_log')
      .where(
        'channel_id',
        'in',
        rows.map((row) => row.channel_id),
      )
      .execute()
  }
  expect(new Set(seen).size).toBe(2 * pageRows + 1)
  expect(seen).toHaveLength(2 * pageRows + 1)
  expect(await wholeTable(ground.db, 'notification_log', ['channel_id'])).toEqual([])
})

test('[R8] alerts, episodes, the ledger and messages are read whole, however many: none is lost, none appears twice', async () => {
  const made = 20_000
  const text = `hex(zeroblob(1100))`
  const numbers = `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT ${made})`
  await ground.maintenance.run([
    { sql: `${numbers} INSERT INTO alerts SELECT 'a' || x, ${text}, NULL FROM n`, parameters: [] },
    {
      sql: `${numbers} INSERT INTO alert_history SELECT 'e' || x, 'a', 'r', 'k', 'warning', 'warning', x % 5, NULL, NULL, ${text} FROM n`,
      parameters: [],
    },
    {
      sql: `${numbers} INSERT INTO deliveries SELECT 'd' || x, 'e', 'raised', 'w' || (x % 90), 'webhook', 'n', 'generic', 'u',
        CASE x % 2 WHEN 0 THEN 'waiting' ELSE 'delivered' END, x % 3, x % 4, NULL, 0, '[]', NULL, NULL, NULL, 0, '[]', ${text}, ${text}, '[]' FROM n`,
      parameters: [],
    },
  ])
  await fill(made, 2_200)
  const alerts = alertStore(ground.db)
  const deliveries = deliveryStore(ground.db)
  const unique = async <T>(rows: AsyncIterable<T[]>, of: (row: T) => string) => {
    const all = await collect(rows)
    expect(new Set(all.map(of)).size).toBe(all.length)
    return all.length
  }
  expect(await unique(alerts.all(), ({ id }) => id)).toBe(made)
  expect(await unique(alerts.openHistory(), ({ episode }) => episode)).toBe(made)
  expect(await unique(deliveries.log(), ({ episode, channel_id }) => `${episode} ${channel_id}`)).toBe(made)
  expect(await unique(deliveries.unfinished(), ({ id }) => id)).toBe(made / 2)
  expect(await unique(deliveries.sentSince(1), ({ id }) => id)).toBe(made / 2)
  expect((await deliveries.channels()).length).toBe(made + 45)
  expect(new Set((await deliveries.find({}, 1_000)).map(({ id }) => id)).size).toBe(1_000)
})
