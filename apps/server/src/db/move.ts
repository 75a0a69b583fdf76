import { createHash } from 'node:crypto'
import { bindable } from './bindable.ts'
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

export async function countRows({ query, page }: Source): Promise<RowCounts> {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const count = query.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('rows'))
    const [found] = await page(count.compile())
    counts[table] = found!.rows
  }
  return counts
}

/** Whether an installation has used it: a new database has only the check of its key. */
export const hasData = (counts: RowCounts): boolean =>
  Object.entries(counts).some(([table, rows]) => table !== 'meta' && rows > 0)

/** All rows of a table, whatever database they are in. */
export interface TableContent {
  rows: number
  digest: string
}
export type Content = Readonly<Record<string, TableContent>>
type Source = Pick<Database, 'query' | 'page'>

const pagesOf = (from: Source, table: Table) =>
  tablePages(from, table, keys[table] as never) as AsyncGenerator<Schema[Table][]>

export async function contentOf(from: Source): Promise<Content> {
  const content: Record<string, TableContent> = {}
  for (const table of tables) {
    const sum = createSum()
    for await (const rows of pagesOf(from, table)) sum.add(rows)
    content[table] = sum.get()
  }
  return content
}

/**
 * Copies all rows into a database with the same tables, and returns what there was. `put` runs statements that `to` has
 * compiled.
 */
export async function copyRows(
  from: Source,
  to: Pick<Database, 'query'>,
  put: (statement: Statement) => Promise<unknown>,
): Promise<Content> {
  const content: Record<string, TableContent> = {}
  for (const table of tables) {
    const sum = createSum()
    await put(to.query.deleteFrom(table).compile())
    for await (const rows of pagesOf(from, table)) {
      for (let n = 0; n < rows.length; n += rowsPerStatement)
        await put(
          to.query
            .insertInto(table)
            .values(rows.slice(n, n + rowsPerStatement) as never)
            .compile(),
        )
      sum.add(rows)
    }
    content[table] = sum.get()
  }
  return content
}

/** Of rows in the order of their key, with values as both databases store them. */
function createSum() {
  const hash = createHash('sha256')
  let count = 0
  return {
    add(rows: readonly object[]) {
      count += rows.length
      for (const row of rows) {
        const values = Object.entries(row).map(([column, value]) => [column, bindable(value)])
        hash.update(JSON.stringify(values.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))))
      }
    },
    get: (): TableContent => ({ rows: count, digest: hash.digest('hex') }),
  }
}
