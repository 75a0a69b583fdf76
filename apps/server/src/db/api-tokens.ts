import type { Database } from './database.ts'
import { wholeTable } from './pages.ts'
import type { ApiTokenRow } from './schema.ts'

export interface ApiTokenStore {
  all(): Promise<ApiTokenRow[]>
  /** Removes and inserts in one transaction. */
  change(change: { remove?: readonly string[]; insert?: readonly ApiTokenRow[] }): Promise<void>
  used(id: string, atMs: number): Promise<void>
  bound(id: string, host: Pick<ApiTokenRow, 'bound_host' | 'bound_host_name'>): Promise<void>
}

export function apiTokenStore(db: Database): ApiTokenStore {
  return {
    all: async () =>
      (await wholeTable(db, 'api_tokens', ['id'])).toSorted((a, b) => b.created_at - a.created_at),
    async change({ remove = [], insert = [] }) {
      const queries = [
        ...remove.map((id) => db.query.deleteFrom('api_tokens').where('id', '=', id).compile()),
        ...insert.map((row) => db.query.insertInto('api_tokens').values(row).compile()),
      ]
      if (queries.length > 0) await db.transaction(queries)
    },
    async bound(id, host) {
      await db.query.updateTable('api_tokens').set(host).where('id', '=', id).execute()
    },
    async used(id, atMs) {
      await db.query.updateTable('api_tokens').set({ last_used_at: atMs }).where('id', '=', id).execute()
    },
  }
}
