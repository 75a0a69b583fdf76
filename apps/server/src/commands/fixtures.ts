import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { realClock } from '../edges.ts'
import type { Database } from '../db/database.ts'
import { copyRows, countRows } from '../db/move.ts'
import { readConfig } from '../start/config.ts'
import { keyPath } from '../start/key-file.ts'
import { openData } from '../start/open-data.ts'
import { openServerData } from '../start/open-postgres.ts'
import { urlOf } from '../testing/database-of-tests.ts'
import type { PostgresServer } from '../testing/postgres-server.ts'

/** A data folder, and an empty database that it may move to. */
export async function aMove(server: PostgresServer) {
  const settings = await server.database()
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-move-'))
  return {
    settings,
    dataDir,
    config: (url = urlOf(settings)) =>
      readConfig(
        { PULSE_DATA_DIR: dataDir, ...(url && { PULSE_DATABASE_URL: url }) },
        { dataDir, tty: false },
      ),
    onServer: () =>
      openServerData(settings, { nowMs: Date.now(), keyFile: keyPath(dataDir, undefined), clock: realClock }),
    inFolder: () => openData(dataDir, undefined, Date.now()),
    remove: () => fs.rmSync(dataDir, { recursive: true }),
  }
}

export type Move = Awaited<ReturnType<typeof aMove>>

/** More rows than a page, values of every form. */
export async function fill({ inFolder }: Move) {
  const { db, vault, maintenance } = await inFolder()
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

/** The values of all rows of all tables. */
export async function rowsOf(db: Database): Promise<unknown[]> {
  const rows: unknown[] = []
  await copyRows(db, db, async ({ sql, parameters }) => {
    if (!sql.startsWith('delete')) rows.push(...parameters)
  })
  return rows
}
