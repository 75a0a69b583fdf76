import pg from 'pg'
import type { PostgresSettings } from './postgres-settings.ts'

// Advisory locks are numbers that all programs of a database share. These are "pulse" and "pulsf" in ASCII.
const startLock = 0x70756c7365
const useLock = 0x70756c7366
/** as long as the migrations of another process may take */
const startMs = 60_000

/**
 * Prepares a new connection of a process that uses the database: for as long as it lasts, the data are not moved. Commits are
 * durable: with "off", a server that crashes loses some that it has answered. All other values of the administrator stay. They
 * are set for the rest of the connection, because otherwise they change when the server reads its files again.
 */
export async function beginUse(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>(
    `SELECT pg_try_advisory_lock_shared($1) AS free,
      set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), false)`,
    [useLock],
  )
  if (!rows[0]!.free) throw new Error('its data are being moved')
}

/** Other processes use the database. */
export class InUse extends Error {
  override name = 'InUse'
  /** where their connections come from */
  readonly places: readonly string[]

  constructor(places: readonly string[]) {
    super('other processes use the database')
    this.places = places
  }
}

/** From now on, no other process begins to use the database while this connection lasts. Throws InUse. */
export async function useAlone(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1) AS free', [useLock])
  if (rows[0]!.free) return
  const others = await client.query<{ place: string }>(
    `SELECT DISTINCT coalesce(host(client_addr), 'this machine') AS place FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'pulse' AND pid <> pg_backend_pid()
      ORDER BY place`,
  )
  throw new InUse(others.rows.map(({ place }) => place))
}

/** The connection that holds the lock of a start, which one process has at a time. */
export async function takeStartLock(settings: PostgresSettings, connectMs: number): Promise<pg.Client> {
  const client = new pg.Client({ ...settings, connectionTimeoutMillis: connectMs, lock_timeout: startMs })
  // The work goes on: its statements are transactions of other connections.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT pg_advisory_lock($1)', [startLock])
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}
