import type { Vault } from '../seal.ts'
import type { Database } from './open.ts'

/** Whole settings documents by name, sealed. */
export interface SettingsStore {
  read(key: string): Promise<string | undefined>
  write(key: string, text: string): Promise<void>
}

export function settingsStore(db: Database, vault: Vault, now: () => number): SettingsStore {
  const place = (key: string) => `settings/${key}`
  return {
    async read(key) {
      const row = await db.query
        .selectFrom('settings')
        .select('value')
        .where('key', '=', key)
        .executeTakeFirst()
      return row && vault.open(row.value, place(key))
    },
    async write(key, text) {
      const value = vault.seal(text, place(key))
      const updated_at = now()
      await db.query
        .insertInto('settings')
        .values({ key, value, updated_at })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at }))
        .execute()
    },
  }
}
