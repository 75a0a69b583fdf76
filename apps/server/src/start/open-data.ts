import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { DatabaseError } from '../database-error.ts'
import { keyCheckText } from '../db/examine.ts'
import { migrate } from '../db/migrate.ts'
import type { Database, Maintenance } from '../db/database.ts'
import { type DatabaseEdges, openDatabase } from '../db/open.ts'
import { realClock } from '../edges.ts'
import { keyCheckRow } from '../db/substance.ts'
import { createVault, type Vault } from '../seal.ts'
import { mendDatabase } from './mend-database.ts'
import { StartupError } from '../startup-error.ts'

export interface OpenData {
  db: Database
  /** copies, figures and shutdown of the embedded database */
  maintenance: Maintenance
  vault: Vault
  /** notices for the administrator about the data folder */
  notices: string[]
}

interface OpenOptions extends DatabaseEdges {
  /** Pulse has run on this folder before, even if files are missing now */
  usedBefore: boolean
}

/**
 * Opens pulse.db with its key. A file that is lost, empty, damaged or from another installation never counts
 * as a first run: its newest usable copy replaces it. Never creates a key if another key has already sealed
 * data.
 */
export async function openData(
  dataDir: string,
  configuredKey: string | undefined,
  nowMs: number,
  { usedBefore = false, clock = realClock, onEvent = () => {} }: Partial<OpenOptions> = {},
): Promise<OpenData> {
  const file = path.join(dataDir, 'pulse.db')
  const keyFile = keyPath(dataDir, configuredKey)
  const key = readKey(keyFile)
  const known = key && createVault(key)
  const notice = mendDatabase(file, { keyFile, vault: known, usedBefore, nowMs })
  let opened: ReturnType<typeof openDatabase> | undefined
  try {
    fs.closeSync(fs.openSync(file, 'a', 0o600))
    opened = openDatabase({ file, synchronous: 'FULL' }, { clock, onEvent })
    await migrate(opened, nowMs, (name) =>
      path.join(dataDir, `pulse.db.before-${name.replace(/\.sql$/, '')}`),
    )
    const vault = known ?? createVault(createKey(keyFile))
    await noteKey(opened.db, vault)
    const problem = await firstCopy(opened.maintenance, dataDir, nowMs)
    return { ...opened, vault, notices: [notice, problem].filter((text) => text !== undefined) }
  } catch (cause) {
    await opened?.maintenance.close()
    if (cause instanceof StartupError) throw cause
    throw new StartupError(
      `The database ${file} cannot be opened: ${(cause as Error).message}`,
      'Check the free space and the permissions of the data folder, then start Pulse again.',
      { cause },
    )
  }
}

/** The newest complete copy of pulse.db, used when the file itself is lost or damaged. */
export const copyPath = (dataDir: string): string => path.join(dataDir, 'pulse.db.copy')

/** Stores a value that shows the next start whether its key is right. */
async function noteKey(db: Database, vault: Vault) {
  await db.query
    .insertInto('meta')
    .values({ key: keyCheckRow, value: vault.seal(keyCheckText, keyCheckRow) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}

/** On a full disk Pulse cannot copy, but still monitors. */
async function firstCopy(
  maintenance: Maintenance,
  dataDir: string,
  nowMs: number,
): Promise<string | undefined> {
  try {
    await maintenance.renewCopy(copyPath(dataDir), nowMs)
    return undefined
  } catch (error) {
    const why =
      error instanceof DatabaseError && error.isDiskFull ? 'the disk is full' : (error as Error).message
    return `The database could not be copied (${why}): if pulse.db is lost, its configuration is lost too.`
  }
}

/** Path of this data folder's key. */
export const keyPath = (dataDir: string, configured: string | undefined): string =>
  configured ?? path.join(dataDir, '.encryption.key')

/** Undefined without a key. Throws on a key that is damaged or readable for other users. */
export function readKey(file: string): Buffer | undefined {
  let stat: fs.Stats
  try {
    stat = fs.statSync(file)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new StartupError(
      `The encryption key ${file} cannot be read: ${(cause as Error).message}`,
      'Give the user that runs Pulse read access to it.',
      { cause },
    )
  }
  if (stat.mode & 0o077) {
    throw new StartupError(
      `The encryption key ${file} can be read by other users (mode ${(stat.mode & 0o777).toString(8)}).`,
      `Run: chmod 600 ${file}`,
    )
  }
  const key = Buffer.from(fs.readFileSync(file, 'utf8').trim(), 'base64')
  if (key.length !== 32) {
    throw new StartupError(
      `The encryption key ${file} is damaged: it must be 32 bytes in base64.`,
      'Restore the key from your backup of the data folder.',
    )
  }
  return key
}

/** Writes the key completely and durably before it gets its name and before it seals data. */
function createKey(file: string): Buffer {
  const key = randomBytes(32)
  const next = `${file}.new`
  fs.rmSync(next, { force: true })
  const handle = fs.openSync(next, 'wx', 0o600)
  try {
    fs.writeSync(handle, `${key.toString('base64')}\n`)
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
  // a hard link never replaces an existing key
  fs.linkSync(next, file)
  fs.rmSync(next)
  const dir = fs.openSync(path.dirname(file), 'r')
  fs.fsyncSync(dir)
  fs.closeSync(dir)
  return key
}
