import { type CompiledQuery, sql } from 'kysely'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'

/** Maximum rows of one page; a page of long rows has fewer. */
export const pageRows = 500

interface Selection<Row> {
  limit(rows: number): { compile(): CompiledQuery<Row> }
}

/**
 * The rows of a query, page by page. `behind` is the query for the rows after a given row, ordered by a
 * unique key.
 */
export async function* pages<Row>(
  db: Pick<Database, 'page'>,
  behind: (last: Row | undefined) => Selection<Row>,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ;) {
    const rows = await db.page(behind(last).limit(pageRows).compile())
    if (rows.length === 0) return
    yield rows
    last = rows.at(-1)
  }
}

/** A whole table in the order of its key, page by page. */
export const tablePages = <T extends keyof Schema>(
  db: Pick<Database, 'query' | 'page'>,
  table: T,
  key: readonly (keyof Schema[T] & string)[],
): AsyncGenerator<Schema[T][]> =>
  pages<Schema[T]>(db, (last) => ({
    limit(rows) {
      const columns = sql.join(key.map((column) => sql.ref(column)))
      const behind = last ? sql`WHERE (${columns}) > (${sql.join(key.map((column) => last[column]))})` : sql``
      const query = sql<
        Schema[T]
      >`SELECT * FROM ${sql.table(table)} ${behind} ORDER BY ${columns} LIMIT ${rows}`
      return { compile: () => query.compile(db.query) }
    },
  }))

/** Collects rows that fit into memory, but not into one answer of the database thread. */
export async function collect<Row>(found: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const all: Row[] = []
  for await (const rows of found) for (const row of rows) all.push(row)
  return all
}

export const wholeTable = <T extends keyof Schema>(
  db: Database,
  table: T,
  key: readonly (keyof Schema[T] & string)[],
): Promise<Schema[T][]> => collect(tablePages(db, table, key))
