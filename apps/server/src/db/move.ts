import type { Database } from './database.ts'
import type { Statement } from './messages.ts'
import { tablePages } from './pages.ts'
import type { Schema } from './schema.ts'

/** Who leads is no matter of an installation that moves. */
type Table = Exclude<keyof Schema, 'schema_migrations' | 'leadership'>

/** The key of each table with data. */
const keys: { [T in Table]: readonly (keyof Schema[T] & string)[] } = {
  meta: ['key'],
  connections: ['id'],
  guest_metadata: ['guest_key'],
  users: ['id'],
  sessions: ['token_hash'],
  api_tokens: ['id'],
  sign_in_attempts: ['account', 'client'],
  audit: ['id'],
  settings: ['key'],
  temperature_nodes: ['connection_id', 'node'],
  docker_hosts: ['id'],
  docker_removals: ['host_id'],
  alerts: ['id'],
  alert_memory: ['key'],
  alert_history: ['episode'],
  deliveries: ['id'],
  notification_log: ['episode', 'channel_id'],
}
const tables = Object.keys(keys) as Table[]

/** PostgreSQL takes 65,535 values in a statement, SQLite 32,766. */
const rowsPerStatement = 100

/** Rows of each table. */
export type RowCounts = Readonly<Record<string, number>>

export async function countRows({ query }: Pick<Database, 'query'>): Promise<RowCounts> {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const { rows } = await query
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
    counts[table] = rows
  }
  return counts
}

/** Whether an installation has used it: a new database has only the check of its key. */
export const hasData = (counts: RowCounts): boolean =>
  Object.entries(counts).some(([table, rows]) => table !== 'meta' && rows > 0)

/**
 * Copies all rows into a database with the same tables, and returns how many there were. `put` runs statements that
 * `to` has compiled.
 */
export async function copyRows(
  from: Database,
  to: Pick<Database, 'query'>,
  put: (statement: Statement) => Promise<unknown>,
): Promise<RowCounts> {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    await put(to.query.deleteFrom(table).compile())
    counts[table] = 0
    const pages = tablePages(from, table, keys[table] as never) as AsyncGenerator<Schema[Table][]>
    for await (const rows of pages)
      for (let n = 0; n < rows.length; n += rowsPerStatement) {
        const some = rows.slice(n, n + rowsPerStatement)
        await put(
          to.query
            .insertInto(table)
            .values(some as never)
            .compile(),
        )
        counts[table] += some.length
      }
  }
  return counts
}
