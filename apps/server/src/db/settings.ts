import type { CompiledQuery } from 'kysely'
import type { Vault } from '../seal.ts'
import type { Database } from './database.ts'

/** Whole settings documents by name, sealed. */
export interface SettingsStore {
  read(key: string): Promise<string | undefined>
  write(key: string, text: string): Promise<void>
}

/** A row that the encryption key cannot open: another key wrote it, or it is damaged. */
export class UnreadableSettings extends Error {
  override name = 'UnreadableSettings'
}

export interface SettingsTable extends SettingsStore {
  /** The statement of `write`, to run together with others. */
  writing(key: string, text: string): CompiledQuery
}

export function settingsStore(db: Database, vault: Vault, now: () => number): SettingsTable {
  const associatedDataOf = (key: string) => `settings/${key}`
  function put(key: string, text: string) {
    const value = vault.seal(text, associatedDataOf(key))
    const updated_at = now()
    return db.query
      .insertInto('settings')
      .values({ key, value, updated_at })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at }))
  }

  return {
    async read(key) {
      const row = await db.query
        .selectFrom('settings')
        .select('value')
        .where('key', '=', key)
        .executeTakeFirst()
      try {
        return row && vault.open(row.value, associatedDataOf(key))
      } catch (cause) {
        throw new UnreadableSettings(`the settings ${key} cannot be opened`, { cause })
      }
    },
    async write(key, text) {
      await put(key, text).execute()
    },
    writing: (key, text) => put(key, text).compile(),
  }
}
