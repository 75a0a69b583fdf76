import { sql } from 'kysely'
import type { Database } from './database.ts'

/** In the form of `server_version_num`: 150004 is 15.4. */
export async function serverVersion({ query }: Database): Promise<number> {
  const { rows } = await sql<{
    version: string
  }>`SELECT current_setting('server_version_num') AS version`.execute(query)
  return Number(rows[0]!.version)
}

/** Whether Pulse has been there. */
export async function hasMigrations({ query }: Database): Promise<boolean> {
  const { rows } = await sql<{
    found: string | null
  }>`SELECT to_regclass('schema_migrations')::text AS found`.execute(query)
  return rows[0]!.found !== null
}
