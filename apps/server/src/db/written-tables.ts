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
