import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenData, openData } from '../start/open-data.ts'
import { alertStore } from './alerts.ts'
import { deliveryStore } from './deliveries.ts'
import { knownMigrations, migrationText } from './migrate.ts'
import { collect } from './pages.ts'

let dir: string
let data: OpenData | undefined
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-database-'))
})
afterEach(async () => {
  await data?.maintenance.close()
  data = undefined
  fs.rmSync(dir, { recursive: true })
})
const opened = async () => (data = await openData(dir, undefined, Date.now()))

test('counts, sums and big integers are numbers', async () => {
  const { db } = await opened()
  const { query } = db
  const updated_at = 4_102_444_800_000
  await query.insertInto('settings').values({ key: 'a', value: 'x', updated_at }).execute()
  const row = await query
    .selectFrom('settings')
    .select(({ fn }) => [
      'updated_at',
      fn.countAll<number>().as('rows'),
      fn.sum<number>('updated_at').as('sum'),
      fn.max('updated_at').as('newest'),
    ])
    .groupBy('updated_at')
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ updated_at, rows: 1, sum: updated_at, newest: updated_at })
})

test('a transaction takes effect as a whole or not at all', async () => {
  const { db } = await opened()
  const put = (key: string) =>
    db.query.insertInto('settings').values({ key, value: 'x', updated_at: 1 }).compile()
  await expect(db.transaction([put('a'), put('b'), put('a')])).rejects.toThrow(/UNIQUE/)
  expect(await db.query.selectFrom('settings').select('key').execute()).toEqual([])
  await db.transaction([put('a'), put('b')])
  expect(await db.query.selectFrom('settings').select('key').execute()).toHaveLength(2)
})

test('why alerts ended is read from what is stored; an unreadable alert has ended for no known reason', async () => {
  const { db } = await opened()
  const store = alertStore(db)
  const row = (episode: string, alert: string, ended_at: number | null) => ({
    episode,
    alert_id: episode,
    resource_id: 'r',
    resource_key: 'r',
    level: 'warning',
    peak_level: 'warning',
    started_at: 1,
    ended_at,
    duration_ms: null,
    alert,
  })
  const episodes = Array.from({ length: 1_200 }, (_, n) => `e${n}`)
  const history = [
    row('e0', '{"endReason":"condition","endNote":"below 80 %"}', 2),
    row('e1', '{"endReason":"nonsense"}', 3),
    row('e600', '{', 4),
    row('e700', '{}', null),
    row('e1199', '{"endReason":"condition"}', 5),
  ]
  await store.write({ alerts: [], history })
  expect(await store.endsOf(episodes)).toEqual(
    new Map<string, unknown>([
      ['e0', { at: 2, reason: 'condition', note: 'below 80 %' }],
      ['e1', { at: 3 }],
      ['e600', { at: 4 }],
      ['e1199', { at: 5, reason: 'condition' }],
    ]),
  )
})

test('data of the previous version keep what each channel was notified of', async () => {
  const older = new DatabaseSync(path.join(dir, 'pulse.db'))
  older.exec('CREATE TABLE schema_migrations (name text PRIMARY KEY, applied_at bigint NOT NULL)')
  for (const name of knownMigrations().filter((known) => known < '0012')) {
    older.exec(migrationText(name))
    older.prepare('INSERT INTO schema_migrations VALUES (?, 1)').run(name)
  }
  const insert = older.prepare('INSERT INTO told_alerts VALUES (?, ?, ?)')
  for (let n = 0; n < 3; n++) insert.run(`e${n}`, 'email', `{"episode":"e${n}","channelId":"email"}`)
  older.close()

  const { db } = await opened()
  expect(await collect(deliveryStore(db).log())).toEqual(
    Array.from({ length: 3 }, (_, n) => ({
      episode: `e${n}`,
      channel_id: 'email',
      entry: `{"episode":"e${n}","channelId":"email"}`,
    })),
  )
  expect(fs.existsSync(path.join(dir, 'pulse.db.before-0012-notification-log'))).toBe(true)
})
