import type { Vault } from '../seal.ts'
import type { Database } from './database.ts'

const key = 'setup-token'
const associatedData = `settings/${key}`

/** The one-time setup token of several processes: the first one to start stores its own, and all others use it. */
export interface SharedSetupToken {
  agree(own: string): Promise<string>
  forget(): Promise<void>
}

export function sharedSetupToken({ query }: Database, vault: Vault, now: () => number): SharedSetupToken {
  return {
    async agree(own) {
      await query
        .insertInto('settings')
        .values({ key, value: vault.seal(own, associatedData), updated_at: now() })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .execute()
      const { value } = await query
        .selectFrom('settings')
        .select('value')
        .where('key', '=', key)
        .executeTakeFirstOrThrow()
      return vault.open(value, associatedData)
    },
    async forget() {
      await query.deleteFrom('settings').where('key', '=', key).execute()
    },
  }
}
