import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { realClock } from '../edges.ts'
import { copyRows, countRows } from '../db/move.ts'
import type { PostgresSettings } from '../db/postgres-settings.ts'
import { readConfig } from '../start/config.ts'
import { keyPath } from '../start/key-file.ts'
import { openData } from '../start/open-data.ts'
import { openServerData } from '../start/open-postgres.ts'
import { openStore } from '../start/open-store.ts'
import { claimDataDir } from '../start/data-dir.ts'
import { urlOf } from '../testing/database-of-tests.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { migrateFromPostgres, migrateToPostgres } from './migrate.ts'

const found = hasPostgres()
if (!found) console.log('skipped: no PostgreSQL')

describe.skipIf(!found)('[N 1] moving to PostgreSQL and back', () => {
  let server: PostgresServer
  let settings: PostgresSettings
  let dataDir: string
  const config = (url = urlOf(settings)) =>
    readConfig({ PULSE_DATA_DIR: dataDir, ...(url && { PULSE_DATABASE_URL: url }) }, { dataDir, tty: false })
  const edges = { clock: realClock }
  const onServer = () =>
    openServerData(settings, { nowMs: Date.now(), keyFile: keyPath(dataDir, undefined), clock: realClock })

  /** More rows than a page, values of every form. */
  async function fill() {
    const { db, vault, maintenance } = await openData(dataDir, undefined, Date.now())
    const { query } = db
    await query
      .insertInto('settings')
      .values({
        key: 'system',
        value: vault.seal('{"a":"Zoë 🔑"}', 'settings/system'),
        updated_at: 4_102_444_800_000,
      })
      .execute()
    const entry = 'x'.repeat(2_000)
    const logged = Array.from({ length: 1_700 }, (_, n) => ({
      episode: `e${n % 7}`,
      channel_id: `c${n}`,
      entry,
    }))
    for (let n = 0; n < logged.length; n += 100)
      await query
        .insertInto('notification_log')
        .values(logged.slice(n, n + 100))
        .execute()
    const counts = await countRows(db)
    await maintenance.close()
    return counts
  }

  const rowsOf = async (db: Parameters<typeof copyRows>[0]) => {
    const rows: unknown[] = []
    await copyRows(db, db, async ({ sql, parameters }) => {
      if (!sql.startsWith('delete')) rows.push(...parameters)
    })
    return rows
  }

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())
  beforeEach(async () => {
    settings = await server.database()
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-move-'))
  })
  afterEach(() => fs.rmSync(dataDir, { recursive: true }))

  test('every row of every table is there afterwards, and again after the way back', async () => {
    const counts = await fill()
    const text = await migrateToPostgres(config(), edges)
    expect(text).toContain('  notification_log: 1700\n')
    const before = await openData(dataDir, undefined, Date.now())
    const expected = await rowsOf(before.db)
    await before.maintenance.close()
    const moved = await onServer()
    expect(await countRows(moved.db)).toEqual(counts)
    expect(await rowsOf(moved.db)).toEqual(expected)
    const { value } = await moved.db.query.selectFrom('settings').select('value').executeTakeFirstOrThrow()
    expect(moved.vault.open(value, 'settings/system')).toBe('{"a":"Zoë 🔑"}')
    await moved.db.query.deleteFrom('notification_log').where('channel_id', '=', 'c0').execute()
    await moved.close()

    expect(await migrateFromPostgres(config(), edges)).toContain('  notification_log: 1699\n')
    const back = await openData(dataDir, undefined, Date.now())
    expect(await countRows(back.db)).toEqual({ ...counts, notification_log: 1_699 })
    await back.maintenance.close()
  })

  test('a folder whose data were moved does not start with those of before', async () => {
    await fill()
    await migrateToPostgres(config(), edges)
    const claimed = claimDataDir(dataDir)
    await expect(openStore(config(''), claimed, Date.now())).rejects.toThrow(
      /were moved to PostgreSQL .*PULSE_DATABASE_URL is not set/,
    )
    const store = await openStore(config(), claimed, Date.now())
    await store.close()
    claimed.release()
    await migrateFromPostgres(config(), edges)
    const again = claimDataDir(dataDir)
    await (await openStore(config(''), again, Date.now())).close()
    again.release()
  })

  test('nothing is moved if a row cannot be stored', async () => {
    await fill()
    const file = new DatabaseSync(path.join(dataDir, 'pulse.db'))
    // SQLite does not check the type of a value
    file.exec(`UPDATE settings SET updated_at = 'late'`)
    file.close()
    await expect(migrateToPostgres(config(), edges)).rejects.toThrow(/bigint/)
    const moved = await onServer()
    expect(await countRows(moved.db)).toMatchObject({ settings: 0, notification_log: 0 })
    await moved.close()
  })

  test('a database with data is not overwritten', async () => {
    await fill()
    await migrateToPostgres(config(), edges)
    fs.rmSync(path.join(dataDir, 'moved-to-postgres'))
    await expect(migrateToPostgres(config(), edges)).rejects.toThrow(/has data already/)
  })

  test('without a URL or a file there is nothing to move', async () => {
    await expect(migrateToPostgres(config(''), edges)).rejects.toThrow('PULSE_DATABASE_URL is not set')
    await expect(migrateFromPostgres(config(''), edges)).rejects.toThrow('PULSE_DATABASE_URL is not set')
    await expect(migrateToPostgres(config(), edges)).rejects.toThrow('There is no pulse.db')
  })
})
