import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { realClock } from '../edges.ts'
import { countRows } from '../db/move.ts'
import { openStore } from '../start/open-store.ts'
import { claimDataDir } from '../start/data-dir.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { aMove, fill, type Move, rowsOf } from './fixtures.ts'
import { migrateFromPostgres, migrateToPostgres } from './migrate.ts'

const found = hasPostgres()
if (!found) console.log('skipped: no PostgreSQL')

describe.skipIf(!found)('[N 1] moving to PostgreSQL and back', () => {
  let server: PostgresServer
  let move: Move
  const config = (url?: string) => move.config(url)
  const edges = { clock: realClock }

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())
  beforeEach(async () => {
    move = await aMove(server)
  })
  afterEach(() => move.remove())

  test('every row of every table is there afterwards, and again after the way back', async () => {
    const counts = await fill(move)
    const text = await migrateToPostgres(config(), edges)
    expect(text).toContain('  notification_log: 1700\n')
    const before = await move.inFolder()
    const expected = await rowsOf(before.db)
    await before.maintenance.close()
    const moved = await move.onServer()
    expect(await countRows(moved.db)).toEqual(counts)
    expect(await rowsOf(moved.db)).toEqual(expected)
    const { value } = await moved.db.query.selectFrom('settings').select('value').executeTakeFirstOrThrow()
    expect(moved.vault.open(value, 'settings/system')).toBe('{"a":"Zoë 🔑"}')
    await moved.db.query.deleteFrom('notification_log').where('channel_id', '=', 'c0').execute()
    const changed = await rowsOf(moved.db)
    await moved.close()

    expect(await migrateFromPostgres(config(), edges)).toContain('  notification_log: 1699\n')
    const back = await move.inFolder()
    expect(await countRows(back.db)).toEqual({ ...counts, notification_log: 1_699 })
    expect(await rowsOf(back.db)).toEqual(changed)
    await back.maintenance.close()
  })

  test('a folder whose data were moved does not start with those of before', async () => {
    await fill(move)
    await migrateToPostgres(config(), edges)
    const claimed = claimDataDir(move.dataDir)
    await expect(openStore(config(''), claimed, Date.now())).rejects.toThrow(
      /were moved to PostgreSQL .*PULSE_DATABASE_URL is not set/,
    )
    const store = await openStore(config(), claimed, Date.now())
    await store.close()
    claimed.release()
    await migrateFromPostgres(config(), edges)
    const again = claimDataDir(move.dataDir)
    await (await openStore(config(''), again, Date.now())).close()
    again.release()
  })

  test('nothing is moved if a row cannot be stored', async () => {
    await fill(move)
    const file = new DatabaseSync(path.join(move.dataDir, 'pulse.db'))
    // SQLite does not check the type of a value
    file.exec(`UPDATE settings SET updated_at = 'late'`)
    file.close()
    await expect(migrateToPostgres(config(), edges)).rejects.toThrow(/bigint/)
    const moved = await move.onServer()
    expect(await countRows(moved.db)).toMatchObject({ settings: 0, notification_log: 0 })
    await moved.close()
  })

  test('nothing is moved if a row arrives changed', async () => {
    await fill(move)
    await (await move.onServer()).close()
    const { database } = move.settings
    await server.admin(
      `CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.entry := NEW.entry || ''!''; RETURN NEW; END'`,
      database,
    )
    await server.admin(
      `CREATE TRIGGER change BEFORE INSERT ON notification_log FOR EACH ROW WHEN (NEW.channel_id = 'c1699') EXECUTE FUNCTION change()`,
      database,
    )
    await expect(migrateToPostgres(config(), edges)).rejects.toThrow(
      /rows of the table notification_log .*Nothing was changed/s,
    )
    const moved = await move.onServer()
    expect(await countRows(moved.db)).toMatchObject({ settings: 0, notification_log: 0 })
    await moved.close()
  })

  test('a database with data is not overwritten', async () => {
    await fill(move)
    await migrateToPostgres(config(), edges)
    fs.rmSync(path.join(move.dataDir, 'moved-to-postgres'))
    await expect(migrateToPostgres(config(), edges)).rejects.toThrow(/has data already/)
  })

  test('without a URL or a file there is nothing to move', async () => {
    await expect(migrateToPostgres(config(''), edges)).rejects.toThrow('PULSE_DATABASE_URL is not set')
    await expect(migrateFromPostgres(config(''), edges)).rejects.toThrow('PULSE_DATABASE_URL is not set')
    await expect(migrateToPostgres(config(), edges)).rejects.toThrow('There is no pulse.db')
  })
})
