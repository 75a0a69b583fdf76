import type { Database } from './database.ts'
import { wholeTable } from './pages.ts'
import type { SessionRow } from './schema.ts'

export interface SessionStore {
  all(): Promise<SessionRow[]>
  insert(row: SessionRow): Promise<void>
  seen(tokenHash: string, atMs: number): Promise<void>
  remove(tokenHashes: readonly string[]): Promise<void>
}

export function sessionStore(db: Database): SessionStore {
  return {
    all: () => wholeTable(db, 'sessions', ['token_hash']),
    async insert(row) {
      await db.query.insertInto('sessions').values(row).execute()
    },
    async seen(tokenHash, atMs) {
      await db.query
        .updateTable('sessions')
        .set({ last_seen_at: atMs })
        .where('token_hash', '=', tokenHash)
        .execute()
    },
    async remove(tokenHashes) {
      const remove = (hash: string) =>
        db.query.deleteFrom('sessions').where('token_hash', '=', hash).compile()
      if (tokenHashes.length > 0) await db.transaction(tokenHashes.map(remove))
    },
  }
}
