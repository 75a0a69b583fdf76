import type { Clock } from '@pulse/domain'
import fs from 'node:fs'
import path from 'node:path'
import { syncFolder } from '../db/copy.ts'
import { migrate } from '../db/migrate.ts'
import { type Content, contentOf, copyRows, countRows, hasData } from '../db/move.ts'
import { openDatabase } from '../db/open.ts'
import { InUse } from '../db/postgres-locks.ts'
import type { MovingData } from '../db/postgres.ts'
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
    const { db, maintenance } = await openData(dataDir, config.encryptionKeyFile, clock.now(), {
      usedBefore: true,
    })
    try {
      const content = await server.moving(async (target) => {
        await requireEmpty(target, place)
        const copied = await copyRows(db, target, target.put)
        requireSame(copied, await contentOf(target))
        return copied
      })
      markMoved(dataDir, place, new Date(clock.now()))
      return `Moved to ${place}:\n${listed(content)}\nKeep PULSE_DATABASE_URL set. The metric history and the key stay in ${dataDir}.`
    } catch (error) {
      throw refusalOf(error, place)
    } finally {
      await maintenance.close()
    }
  })

/** `migrate-from-postgres`: the way back. A pulse.db that is there is kept aside. */
export const migrateFromPostgres = (config: Config, { clock }: Edges): Promise<string> =>
  withServer(config, clock, async (server, dataDir, place) => {
    const file = path.join(dataDir, 'pulse.db')
    const next = `${file}.migrating`
    removeDatabase(next)
    fs.closeSync(fs.openSync(next, 'wx', 0o600))
    let content: Content
    try {
      content = await server.moving((source) => fillFile(next, source, clock))
    } catch (error) {
      removeDatabase(next)
      throw refusalOf(error, place)
    }
    const aside = fs.existsSync(file) ? setAside(file, clock.now()) : undefined
    fs.renameSync(next, file)
    syncFolder(file)
    unmarkMoved(dataDir)
    const kept = aside ? ` The former file is ${aside}.` : ''
    return `Moved from ${place} to ${file}:\n${listed(content)}\nRemove PULSE_DATABASE_URL before the next start.${kept}`
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

function removeDatabase(file: string) {
  for (const end of ['', '-wal', '-shm']) fs.rmSync(file + end, { force: true })
}

async function requireEmpty(target: MovingData, place: string) {
  if (hasData(await countRows(target)))
    throw new StartupError(
      `The database ${place} has data already.`,
      'Give an empty database with PULSE_DATABASE_URL. Nothing was changed.',
    )
}

async function fillFile(file: string, source: MovingData, clock: Clock): Promise<Content> {
  const { db, maintenance } = openDatabase({ file, synchronous: 'FULL' }, { clock, onEvent: () => {} })
  try {
    await migrate({ db, run: maintenance.run }, clock.now())
    const copied = await copyRows(source, db, (statement) => maintenance.run([statement]))
    requireSame(copied, await contentOf(db))
    return copied
  } finally {
    await maintenance.close()
  }
}

const unchanged = 'Nothing was changed. Start Pulse as before'

function requireSame(copied: Content, found: Content) {
  for (const [table, { rows, digest }] of Object.entries(copied)) {
    const arrived = found[table]!
    if (rows !== arrived.rows)
      throw new StartupError(
        `Of ${rows} rows of the table ${table}, ${arrived.rows} arrived.`,
        `${unchanged}, and report this.`,
      )
    if (digest !== arrived.digest)
      throw new StartupError(
        `The rows of the table ${table} differ after the copy.`,
        `${unchanged}, and report this.`,
      )
  }
}

function refusalOf(cause: unknown, place: string): StartupError {
  if (cause instanceof StartupError) return cause
  if (cause instanceof InUse)
    return new StartupError(
      `The database ${place} is in use by another Pulse, from ${cause.places.join(', ')}.`,
      'Stop all processes of Pulse with this database, then run the command again. Nothing was changed.',
      { cause },
    )
  const { message } = cause as Error
  return new StartupError(
    `The data could not be moved: ${message}`,
    `${unchanged}, or run the command again.`,
    {
      cause,
    },
  )
}

const listed = (content: Content): string =>
  Object.entries(content)
    .filter(([, { rows }]) => rows > 0)
    .map(([table, { rows }]) => `  ${table}: ${rows}`)
    .join('\n')
