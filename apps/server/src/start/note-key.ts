import type { Database } from '../db/database.ts'
import { keyCheckText } from '../db/examine.ts'
import { keyCheckRow } from '../db/substance.ts'
import type { Vault } from '../seal.ts'

/** Stores a value that shows the next start whether its key is right. */
export async function noteKey(db: Pick<Database, 'query'>, vault: Vault) {
  await db.query
    .insertInto('meta')
    .values({ key: keyCheckRow, value: vault.seal(keyCheckText, keyCheckRow) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}
