import type pg from 'pg'

/** An answer of a page has so many characters of text at most, or one row. */
const mostCharacters = 1024 * 1024
const rowsPerFetch = 50

/** The first rows of a query that fit into one answer, within a transaction. */
export async function readPage(client: pg.ClientBase, sql: string, values: unknown[]): Promise<object[]> {
  await client.query(`DECLARE page NO SCROLL CURSOR FOR ${sql}`, values)
  const rows = await firstRows(client)
  await client.query('CLOSE page')
  return rows
}

async function firstRows(client: pg.ClientBase): Promise<object[]> {
  const rows: object[] = []
  let characters = 0
  for (;;) {
    const { rows: fetched } = await client.query<Record<string, unknown>>(`FETCH ${rowsPerFetch} FROM page`)
    for (const row of fetched) {
      if (rows.length > 0 && characters > mostCharacters) return rows
      characters += charactersIn(row)
      rows.push(row)
    }
    if (fetched.length < rowsPerFetch) return rows
  }
}

/** Values other than texts count little. */
const charactersIn = (row: Record<string, unknown>): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 16), 0)
