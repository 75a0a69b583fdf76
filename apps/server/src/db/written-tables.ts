import type { CompiledQuery } from 'kysely'
import type { Schema } from './schema.ts'

type Table = keyof Schema

interface TableNode {
  table?: { identifier?: { name?: string } }
}

/** The table that a statement changes; `all` if its text does not say it; undefined for one that reads. */
export function writtenTable({ query }: Pick<CompiledQuery, 'query'>): Table | 'all' | undefined {
  const { kind } = query
  const node = query as unknown as { into?: TableNode; table?: TableNode; from?: { froms?: TableNode[] } }
  if (kind === 'SelectQueryNode') return undefined
  const found =
    kind === 'InsertQueryNode'
      ? node.into
      : kind === 'UpdateQueryNode'
        ? node.table
        : kind === 'DeleteQueryNode'
          ? node.from?.froms?.[0]
          : undefined
  return (found?.table?.identifier?.name as Table | undefined) ?? 'all'
}

/** Columns that say when a token or a session was used last. */
const uses: readonly string[] = ['last_used_at', 'last_seen_at'] satisfies (
  keyof Schema['api_tokens'] | keyof Schema['sessions']
)[]

interface UpdateNode {
  updates?: readonly { column: { column?: { name?: string } } }[]
}

/** The table whose change others have to hear of: not of each use of a token or a session, which changes no right. */
export function announcedTable(one: Pick<CompiledQuery, 'query'>): Table | 'all' | undefined {
  const { updates = [] } = one.query as unknown as UpdateNode
  const isUse = updates.length > 0 && updates.every(({ column }) => uses.includes(column.column?.name ?? ''))
  return isUse ? undefined : writtenTable(one)
}
