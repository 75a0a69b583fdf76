import type { Database } from './database.ts'
import { wholeTable } from './pages.ts'
import type { UserRow } from './schema.ts'

export interface UserStore {
  all(): Promise<UserRow[]>
  insert(row: UserRow): Promise<void>
  /** With `endSessions`, also ends the user's sessions in the same transaction. */
  update(row: UserRow, options?: { endSessions: boolean }): Promise<void>
  remove(id: string): Promise<void>
}

export function userStore(db: Database): UserStore {
  const deleteSessions = (id: string) => db.query.deleteFrom('sessions').where('user_id', '=', id)
  return {
    all: async () => (await wholeTable(db, 'users', ['id'])).toSorted((a, b) => a.created_at - b.created_at),
    async insert(row) {
      await db.query.insertInto('users').values(row).execute()
    },
    async update(row, options) {
      const update = db.query.updateTable('users').set(row).where('id', '=', row.id).compile()
      await db.transaction(options?.endSessions ? [update, deleteSessions(row.id).compile()] : [update])
    },
    async remove(id) {
      const remove = db.query.deleteFrom('users').where('id', '=', id)
      await db.transaction([remove.compile(), deleteSessions(id).compile()])
    },
  }
}
