import type { Database } from './database.ts'
import { collect, pages, wholeTable } from './pages.ts'
import type { GuestMetadataRow } from './schema.ts'

export interface GuestMetadataStore {
  all(): Promise<GuestMetadataRow[]>
  find(guestKey: string): Promise<GuestMetadataRow | undefined>
  findByWireId(wireId: string): Promise<GuestMetadataRow | undefined>
  /** The keys with this prefix. */
  keysFrom(prefix: string): Promise<string[]>
  count(prefix?: string): Promise<number>
  put(row: GuestMetadataRow): Promise<void>
  /** Replaces `oldKey` by `row` in one transaction. */
  rename(oldKey: string, row: GuestMetadataRow): Promise<void>
  remove(guestKey: string): Promise<void>
}

/**
 * The first text after all texts with this prefix. A range query uses the index of the key; a pattern would
 * not.
 */
const endOf = (prefix: string) =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)

export function guestMetadataStore(db: Database): GuestMetadataStore {
  const insert = (row: GuestMetadataRow) =>
    db.query
      .insertInto('guest_metadata')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('guest_key').doUpdateSet({
          wire_id: row.wire_id,
          custom_url: row.custom_url,
          updated_at: row.updated_at,
        }),
      )
  const remove = (key: string) => db.query.deleteFrom('guest_metadata').where('guest_key', '=', key)
  return {
    all: () => wholeTable(db, 'guest_metadata', ['guest_key']),
    find: (guestKey) =>
      db.query.selectFrom('guest_metadata').selectAll().where('guest_key', '=', guestKey).executeTakeFirst(),
    findByWireId: (wireId) =>
      db.query
        .selectFrom('guest_metadata')
        .selectAll()
        .where('wire_id', '=', wireId)
        .orderBy('guest_key')
        .limit(1)
        .executeTakeFirst(),
    async keysFrom(prefix) {
      const from = (last: { guest_key: string } | undefined) => {
        const keys = db.query.selectFrom('guest_metadata').select('guest_key').orderBy('guest_key')
        const rest = keys.where('guest_key', '<', endOf(prefix))
        return last ? rest.where('guest_key', '>', last.guest_key) : rest.where('guest_key', '>=', prefix)
      }
      return (await collect(pages(db, from))).map((row) => row.guest_key)
    },
    async count(prefix = '') {
      let query = db.query.selectFrom('guest_metadata').select(({ fn }) => fn.countAll<number>().as('n'))
      if (prefix) query = query.where('guest_key', '>=', prefix).where('guest_key', '<', endOf(prefix))
      return (await query.executeTakeFirstOrThrow()).n
    },
    async put(row) {
      await insert(row).execute()
    },
    async rename(oldKey, row) {
      await db.transaction([remove(oldKey).compile(), insert(row).compile()])
    },
    async remove(guestKey) {
      await remove(guestKey).execute()
    },
  }
}
