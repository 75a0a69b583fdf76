import type { Database } from './open.ts'
import type { GuestMetadataRow } from './schema.ts'

export interface GuestMetadataStore {
  all(): Promise<GuestMetadataRow[]>
  put(row: GuestMetadataRow): Promise<void>
  /** `oldKey` becomes `row` in one step. */
  rename(oldKey: string, row: GuestMetadataRow): Promise<void>
  remove(guestKey: string): Promise<void>
}

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
    all: () => db.query.selectFrom('guest_metadata').selectAll().execute(),
    async put(row) {
      await insert(row).execute()
    },
    async rename(oldKey, row) {
      await db.batch([remove(oldKey).compile(), insert(row).compile()])
    },
    async remove(guestKey) {
      await remove(guestKey).execute()
    },
  }
}
