import fs from 'node:fs'
import path from 'node:path'
import { DatabaseError } from '../database-error.ts'
import { migrate } from '../db/migrate.ts'
import type { Database, Maintenance } from '../db/database.ts'
import { type DatabaseEdges, openDatabase } from '../db/open.ts'
import { realClock } from '../edges.ts'
import { createVault, type Vault } from '../seal.ts'
import { mendDatabase } from './mend-database.ts'
import { StartupError } from '../startup-error.ts'
import { createKey, keyPath, readKey } from './key-file.ts'
import { noteKey } from './note-key.ts'

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
    const { db, maintenance } = opened
    const copyBefore = (name: string) => path.join(dataDir, `pulse.db.before-${name.replace(/\.sql$/, '')}`)
    await migrate({ db, run: maintenance.run, before: (name) => maintenance.backup(copyBefore(name)) }, nowMs)
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
