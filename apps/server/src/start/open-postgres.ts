import { createHash } from 'node:crypto'
import type { Database } from '../db/database.ts'
import { keyCheckText } from '../db/examine.ts'
import { appliedMigrations, knownMigrations, migrate } from '../db/migrate.ts'
import { openPostgres, type Postgres } from '../db/postgres.ts'
import type { DatabaseEdges } from '../db/open.ts'
import type { PostgresSettings } from '../db/postgres-settings.ts'
import { hasMigrations, serverVersion } from '../db/postgres-facts.ts'
import { keyCheckRow } from '../db/substance.ts'
import { realClock } from '../edges.ts'
import { createVault, type Vault } from '../seal.ts'
import { StartupError } from '../startup-error.ts'
import { createKey, readKey } from './key-file.ts'
import { noteKey } from './note-key.ts'
import { remedyFor } from './postgres-remedy.ts'

/** 15.0, in the form of `server_version_num` */
const oldestVersion = 150_000

interface OpenOptions extends Partial<DatabaseEdges> {
  nowMs: number
  /** created if the database is new */
  keyFile: string
}

export interface ServerData extends Postgres {
  vault: Vault
  /** the same for all processes on this database, and for no others */
  installation: string
}

/**
 * Connects to a PostgreSQL server, brings its tables up to date and checks the key of its secrets. Throws StartupError,
 * without the password.
 */
export async function openServerData(
  settings: PostgresSettings,
  { nowMs, keyFile, clock = realClock, onEvent = () => {}, ...edges }: OpenOptions,
): Promise<ServerData> {
  const key = readKey(keyFile)
  const server = openPostgres(settings, { clock, onEvent, ...edges })
  const place = placeOf(settings)
  try {
    await requireVersion(server, place)
    await server.readClock()
    const vault = await server.alone(async () => {
      await refuseNewer(server, place)
      await migrate({ db: server.db, run: server.run, inDialect }, nowMs)
      return await vaultOf(server.db, key, keyFile, place)
    })
    return { ...server, vault, installation: await installationOf(server.db) }
  } catch (cause) {
    await server.close()
    if (cause instanceof StartupError) throw cause
    throw new StartupError(
      `The database ${place} cannot be opened: ${(cause as Error).message}`,
      remedyFor(cause, settings),
      { cause },
    )
  }
}

/** How messages call it. */
export const placeOf = ({ database, host, port }: PostgresSettings): string =>
  `${database} at ${host}:${port}`

/** All processes of a database have one key, which the first of them creates. */
async function vaultOf(
  db: Database,
  key: Buffer | undefined,
  keyFile: string,
  place: string,
): Promise<Vault> {
  const known = await keyCheckOf(db)
  if (known && !key)
    throw new StartupError(
      `The encryption key ${keyFile} is missing, but the database ${place} has secrets sealed with it.`,
      'Copy the key file from the machine where Pulse runs on this database, or restore it from your backup.',
    )
  const vault = createVault(key ?? createKey(keyFile))
  if (!known) await noteKey(db, vault)
  else if (!opens(vault, known.value))
    throw new StartupError(
      `The encryption key ${keyFile} is not the one that the secrets in the database ${place} were sealed with.`,
      'Copy the key file from the machine where Pulse runs on this database, or set its path with PULSE_ENCRYPTION_KEY_FILE.',
    )
  return vault
}

const keyCheckOf = ({ query }: Database) =>
  query.selectFrom('meta').select('value').where('key', '=', keyCheckRow).executeTakeFirst()

/** The sealed row is random. */
async function installationOf(db: Database): Promise<string> {
  const { value } = (await keyCheckOf(db))!
  return createHash('sha256').update(value).digest('hex').slice(0, 32)
}

function opens(vault: Vault, sealed: string): boolean {
  try {
    return vault.open(sealed, keyCheckRow) === keyCheckText
  } catch {
    return false
  }
}

/** Texts sort as in SQLite, whatever the language of the server. */
const inDialect = (text: string): string => text.replaceAll(/\btext\b/g, 'text COLLATE "C"')

async function requireVersion({ db }: Postgres, place: string) {
  const version = await serverVersion(db)
  if (version >= oldestVersion) return
  throw new StartupError(
    `The database ${place} is PostgreSQL ${Math.floor(version / 10_000)}.`,
    'Pulse needs PostgreSQL 15 or later.',
  )
}

async function refuseNewer({ db }: Postgres, place: string) {
  if (!(await hasMigrations(db))) return
  const known = knownMigrations()
  const newer = (await appliedMigrations(db)).filter((name) => !known.includes(name))
  if (newer.length === 0) return
  throw new StartupError(
    `The database ${place} was written by a newer version of Pulse (${newer.join(', ')}).`,
    'Start the newer version again, or restore a backup made before the update.',
  )
}
