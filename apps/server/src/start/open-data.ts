import path from 'node:path'
import { migrate } from '../db/migrate.ts'
import { type Database, openDatabase } from '../db/open.ts'
import { prepareDatabaseFile } from '../db/prepare.ts'
import { createVault, type Vault } from '../seal.ts'
import { createKey, keyPath, readKey } from './encryption-key.ts'
import { StartupError } from './startup-error.ts'

export interface OpenData {
  db: Database
  vault: Vault
  /** what the administrator should see about the data folder */
  notices: string[]
}

const CHECK_ROW = 'key_check'
const CHECK_TEXT = 'pulse'

/** Opens pulse.db with its key. Never creates a key where something was already sealed with another. */
export async function openData(
  dataDir: string,
  configuredKey: string | undefined,
  nowMs: number,
): Promise<OpenData> {
  const file = path.join(dataDir, 'pulse.db')
  const copy = copyPath(dataDir)
  const { notice } = prepareDatabaseFile(file, copy, nowMs)
  const db = openDatabase({ file, synchronous: 'FULL' })
  try {
    await migrate(db, nowMs, (name) => path.join(dataDir, `pulse.db.before-${name.replace(/\.sql$/, '')}`))
    const vault = await openVault(db, keyPath(dataDir, configuredKey))
    await db.backup(copy)
    return { db, vault, notices: notice ? [notice] : [] }
  } catch (cause) {
    await db.close()
    if (cause instanceof StartupError) throw cause
    throw new StartupError(
      `The database ${file} cannot be opened: ${(cause as Error).message}`,
      'If an older version of Pulse was started on newer data, start the newer version again, ' +
        'or put back the copy pulse.db.before-… from the data folder.',
      { cause },
    )
  }
}

/** The newest whole copy of pulse.db, used when the file itself is damaged. */
export const copyPath = (dataDir: string): string => path.join(dataDir, 'pulse.db.copy')

async function openVault(db: Database, file: string): Promise<Vault> {
  const check = await db.query
    .selectFrom('meta')
    .select('value')
    .where('key', '=', CHECK_ROW)
    .executeTakeFirst()
  const key = readKey(file)
  if (!check) {
    const vault = createVault(key ?? createKey(file))
    await db.query
      .insertInto('meta')
      .values({ key: CHECK_ROW, value: vault.seal(CHECK_TEXT, CHECK_ROW) })
      .execute()
    return vault
  }
  if (!key) {
    throw new StartupError(
      `The encryption key ${file} is missing, but this data folder holds passwords sealed with it.`,
      'Put the key file back from your backup. Without it the stored passwords are lost: ' +
        'to start over, move the data folder away and add your nodes again.',
    )
  }
  const vault = createVault(key)
  try {
    vault.open(check.value, CHECK_ROW)
  } catch (cause) {
    throw new StartupError(
      `The encryption key ${file} is not the one this data folder was sealed with.`,
      'Put back the right key file, or name it with PULSE_ENCRYPTION_KEY_FILE.',
      { cause },
    )
  }
  return vault
}
