import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { realClock } from '../edges.ts'
import { contentOf } from '../db/move.ts'
import { fingerprintsOf } from '../testing/data-folder.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { aMove, fill, type Move } from './fixtures.ts'
import { migrateFromPostgres, migrateToPostgres } from './migrate.ts'

const found = hasPostgres()
if (!found) console.log('skipped: no PostgreSQL')
const edges = { clock: realClock }

describe.skipIf(!found)('[N 1] the way back from PostgreSQL', () => {
  let server: PostgresServer
  let move: Move
  const sql = (text: string) => server.admin(text, move.settings.database)
  const inFolder = async () => {
    const { db, maintenance } = await move.inFolder()
    const content = await contentOf(db)
    await maintenance.close()
    return content
  }

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())
  beforeEach(async () => {
    move = await aMove(server)
    await fill(move)
    await migrateToPostgres(move.config(), edges)
  })
  afterEach(() => move.remove())

  test('changes nothing if it fails on the way', async () => {
    const content = await inFolder()
    const before = [fingerprintsOf(move.dataDir), await sql('SELECT count(*) FROM settings')]
    // the last table that is read
    await sql('ALTER TABLE notification_log RENAME TO elsewhere')
    await expect(migrateFromPostgres(move.config(), edges)).rejects.toThrow(
      /notification_log.*Nothing was changed/s,
    )
    expect([fingerprintsOf(move.dataDir), await sql('SELECT count(*) FROM settings')]).toEqual(before)
    await sql('ALTER TABLE elsewhere RENAME TO notification_log')
    await migrateFromPostgres(move.config(), edges)
    expect(await inFolder()).toEqual(content)
  })

  test('takes all tables as they were at one moment, whatever another program changes meanwhile', async () => {
    const before = await inFolder()
    const other = new pg.Client(move.settings)
    await other.connect()
    await other.query('BEGIN')
    await other.query('LOCK TABLE notification_log')
    const moving = migrateFromPostgres(move.config(), edges)
    const waiting = async () =>
      (
        await other.query(
          `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'notification_log'::regclass`,
        )
      ).rows
    await expect.poll(waiting, { timeout: within(60_000), interval: 20 }).toHaveLength(1)
    await other.query(`UPDATE settings SET value = 'changed'`)
    await other.query('DELETE FROM notification_log')
    await other.query('COMMIT')
    await other.end()
    await moving
    expect(await inFolder()).toEqual(before)
  })

  test('is refused while a process of this database runs', async () => {
    const running = await move.onServer()
    const before = fingerprintsOf(move.dataDir)
    await expect(migrateFromPostgres(move.config(), edges)).rejects.toThrow(
      /is in use by another Pulse.*127\.0\.0\.1.*Stop/s,
    )
    expect(fingerprintsOf(move.dataDir)).toEqual(before)
    await running.close()
    await migrateFromPostgres(move.config(), edges)
    expect(fs.existsSync(path.join(move.dataDir, 'moved-to-postgres'))).toBe(false)
  })

  test('keeps a process from starting until it is done', async () => {
    const mover = await move.onServer()
    await mover.moving(async () => {
      await expect(move.onServer()).rejects.toThrow(/cannot be opened: its data are being moved/)
    })
    await (await move.onServer()).close()
    await mover.close()
  })

  test('is not the only one: the way there is refused, too', async () => {
    const other = await aMove(server)
    await fill(other)
    const running = await other.onServer()
    await expect(migrateToPostgres(other.config(), edges)).rejects.toThrow(/is in use by another Pulse/)
    await running.close()
    await migrateToPostgres(other.config(), edges)
    other.remove()
  })
})
