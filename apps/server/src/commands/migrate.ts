import type { Clock } from '@pulse/domain'
import fs from 'node:fs'
import path from 'node:path'
import { migrate } from '../db/migrate.ts'
import { copyRows, countRows, hasData, type RowCounts } from '../db/move.ts'
import { openDatabase } from '../db/open.ts'
import { setAside } from '../db/restore.ts'
import type { Config } from '../start/config.ts'
import { claimDataDir } from '../start/data-dir.ts'
import { keyPath } from '../start/key-file.ts'
import { openData } from '../start/open-data.ts'
import { openServerData, placeOf, type ServerData } from '../start/open-postgres.ts'
import { markMoved, refuseMoved, unmarkMoved } from '../start/postgres-mark.ts'
import { StartupError } from '../startup-error.ts'

type Edges = { clock: Clock }

/**
 * `migrate-to-postgres`: copies everything from the data folder into an empty PostgreSQL database, or nothing. Pulse
 * must be stopped. Returns the text for the console.
 */
export const migrateToPostgres = (config: Config, { clock }: Edges): Promise<string> =>
  withServer(config, clock, async (server, dataDir, place) => {
    refuseMoved(dataDir)
    if (!fs.existsSync(path.join(dataDir, 'pulse.db')))
      throw new StartupError(
        `There is no pulse.db in ${dataDir}.`,
        'Start Pulse with PULSE_DATABASE_URL: it begins a new installation.',
      )
    if (hasData(await countRows(server.db)))
      throw new StartupError(
        `The database ${place} has data already.`,
        'Give an empty database with PULSE_DATABASE_URL. Nothing was changed.',
      )
    const { db, maintenance } = await openData(dataDir, config.encryptionKeyFile, clock.now(), {
      usedBefore: true,
    })
    try {
      const counts = await server.inOne(async (put) => {
        const copied = await copyRows(db, server.db, put)
        for (const [table, rows] of Object.entries(copied)) {
          const found = await put({ sql: `SELECT count(*) AS rows FROM ${table}`, parameters: [] })
          requireSame(table, rows, Number((found.rows[0] as { rows: number }).rows))
        }
        return copied
      })
      markMoved(dataDir, place, new Date(clock.now()))
      return `Moved to ${place}:\n${listed(counts)}\nKeep PULSE_DATABASE_URL set. The metric history and the key stay in ${dataDir}.`
    } finally {
      await maintenance.close()
    }
  })

/** `migrate-from-postgres`: the way back. A pulse.db that is there is kept aside. */
export const migrateFromPostgres = (config: Config, { clock }: Edges): Promise<string> =>
  withServer(config, clock, async (server, dataDir, place) => {
    const file = path.join(dataDir, 'pulse.db')
    const next = `${file}.migrating`
    for (const end of ['', '-wal', '-shm']) fs.rmSync(next + end, { force: true })
    fs.closeSync(fs.openSync(next, 'wx', 0o600))
    const { db, maintenance } = openDatabase(
      { file: next, synchronous: 'FULL' },
      { clock, onEvent: () => {} },
    )
    let counts: RowCounts
    try {
      await migrate({ db, run: maintenance.run }, clock.now())
      counts = await copyRows(server.db, db, (statement) => maintenance.run([statement]))
      const found = await countRows(db)
      for (const [table, rows] of Object.entries(counts)) requireSame(table, rows, found[table]!)
    } finally {
      await maintenance.close()
    }
    const aside = fs.existsSync(file) ? setAside(file, clock.now()) : undefined
    fs.renameSync(next, file)
    unmarkMoved(dataDir)
    const kept = aside ? ` The former file is ${aside}.` : ''
    return `Moved from ${place} to ${file}:\n${listed(counts)}\nRemove PULSE_DATABASE_URL before the next start.${kept}`
  })

async function withServer(
  { dataDir, postgres, encryptionKeyFile }: Config,
  clock: Clock,
  work: (server: ServerData, dataDir: string, place: string) => Promise<string>,
): Promise<string> {
  if (!postgres)
    throw new StartupError('PULSE_DATABASE_URL is not set.', 'Set it to the URL of the PostgreSQL database.')
  const claimed = claimDataDir(dataDir)
  try {
    const keyFile = keyPath(claimed.path, encryptionKeyFile)
    const server = await openServerData(postgres, { nowMs: clock.now(), keyFile, clock })
    try {
      return await work(server, claimed.path, placeOf(postgres))
    } finally {
      await server.close()
    }
  } finally {
    claimed.release()
  }
}

function requireSame(table: string, read: number, found: number) {
  if (read === found) return
  throw new StartupError(
    `Of ${read} rows of the table ${table}, ${found} arrived.`,
    'Nothing was changed. Start Pulse as before, and report this.',
  )
}

const listed = (counts: RowCounts): string =>
  Object.entries(counts)
    .filter(([, rows]) => rows > 0)
    .map(([table, rows]) => `  ${table}: ${rows}`)
    .join('\n')
