import type { Database, DatabaseFigures, Maintenance } from '../db/database.ts'
import type { DatabaseEdges } from '../db/open.ts'
import type { Leading, Postgres } from '../db/postgres.ts'
import type { Vault } from '../seal.ts'
import type { Config } from './config.ts'
import type { DataDir } from './data-dir.ts'
import { keyPath } from './key-file.ts'
import { openData } from './open-data.ts'
import { refuseMoved } from './postgres-mark.ts'

/** Where everything is that is set up: the file in the data folder, or a PostgreSQL server. */
export interface Store {
  db: Database
  vault: Vault
  /** for the administrator, about the data folder */
  notices: string[]
  figures(): DatabaseFigures
  close(): Promise<void>
  /** PostgreSQL only */
  leading?: Leading
  marks?: Postgres['marks']
  clockAheadMs?: Postgres['clockAheadMs']
  installation?: string
  /** Copies the file. A server has backups of its own. */
  renewCopy?: Maintenance['renewCopy']
}

/** Throws StartupError. The key of the secrets stays outside of the database in both cases. */
export async function openStore(
  { postgres, encryptionKeyFile }: Pick<Config, 'postgres' | 'encryptionKeyFile'>,
  dataDir: DataDir,
  nowMs: number,
  edges?: DatabaseEdges,
): Promise<Store> {
  if (postgres) {
    const { openServerData } = await import('./open-postgres.ts')
    const keyFile = keyPath(dataDir.path, encryptionKeyFile)
    return { ...(await openServerData(postgres, { nowMs, keyFile, ...edges })), notices: [] }
  }
  refuseMoved(dataDir.path)
  const data = await openData(dataDir.path, encryptionKeyFile, nowMs, { ...dataDir, ...edges })
  const { maintenance, ...own } = data
  return { ...own, ...maintenance }
}
