import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { realClock } from '../edges.ts'
import { contentOf, countRows } from '../db/move.ts'
import { fingerprintsOf } from '../testing/data-folder.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { aMove, fill, type Move } from './fixtures.ts'
import { migrateFromPostgres, migrateToPostgres } from './migrate.ts'

const found = hasPostgres()
if (!found) console.log('skipped: no PostgreSQL')
const edges = { clock: realClock }

/** Who waits for the table that the client has locked. */
const waitingFor = async (client: pg.Client): Promise<unknown[]> => {
  const { rows } = await client.query(
    `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'notification_log'::regclass`,
  )
  return rows
}

describe.skipIf(!found)('[N 1] the way back from PostgreSQL', () => {
  let server: PostgresServer
  let move: Move
  const sql = (text: string) => server.admin(text, move.settings.database)
  /** The server notices the end of a process a little after it. */
  const isLeft = ({ settings: { database } }: Move) =>
    expect
      .poll(() =>
        server.admin(
          `SELECT 1 FROM pg_stat_activity WHERE datname = '${database}' AND application_name = 'pulse'`,
        ),
      )
      .toEqual([])
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
    await expect.poll(() => waitingFor(other), { timeout: within(60_000), interval: 20 }).toHaveLength(1)
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
    await isLeft(move)
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

  test('lets the next process begin as soon as it is done, or has failed', async () => {
    const [mover, next] = [await move.onServer(), new pg.Client(move.settings)]
    await next.connect()
    const isFree = async () => {
      const { rows } = await next.query(
        `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND database =
          (SELECT oid FROM pg_database WHERE datname = current_database())`,
      )
      return rows.length === 0
    }
    for (let n = 0; n < 20; n++) {
      await mover.moving(async () => {})
      expect(await isFree()).toBe(true)
      await mover.moving(({ put }) => put({ sql: 'SELECT nothing', parameters: [] })).catch(() => {})
      expect(await isFree()).toBe(true)
    }
    await next.end()
    await mover.close()
  })

  test('keeps one from starting from before the way there looks whether the database is empty', async () => {
    const other = await aMove(server)
    const counts = await fill(other)
    await (await other.onServer()).close()
    await isLeft(other)
    const reader = new pg.Client(other.settings)
    await reader.connect()
    await reader.query('BEGIN')
    // the last table that the move looks at
    await reader.query('LOCK TABLE notification_log')
    const moving = migrateToPostgres(other.config(), edges)
    await expect.poll(() => waitingFor(reader), { timeout: within(60_000), interval: 20 }).toHaveLength(1)
    await expect(other.onServer()).rejects.toThrow(/cannot be opened: its data are being moved/)
    await reader.query('COMMIT')
    await reader.end()
    await moving
    const moved = await other.onServer()
    expect(await countRows(moved.db)).toEqual(counts)
    await moved.close()
    other.remove()
  })

  test('is not the only one: the way there is refused, too', async () => {
    const other = await aMove(server)
    await fill(other)
    const running = await other.onServer()
    await expect(migrateToPostgres(other.config(), edges)).rejects.toThrow(/is in use by another Pulse/)
    await running.close()
    await isLeft(other)
    await migrateToPostgres(other.config(), edges)
    other.remove()
  })
})
