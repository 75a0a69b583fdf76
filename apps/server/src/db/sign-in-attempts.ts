import type { Database } from './database.ts'
import { wholeTable } from './pages.ts'
import type { SignInAttemptRow } from './schema.ts'

export interface SignInAttemptStore {
  all(): Promise<SignInAttemptRow[]>
  put(row: SignInAttemptRow): Promise<void>
  remove(rows: readonly Pick<SignInAttemptRow, 'account' | 'client'>[]): Promise<void>
}

export function signInAttemptStore(db: Database): SignInAttemptStore {
  return {
    all: () => wholeTable(db, 'sign_in_attempts', ['account', 'client']),
    async put({ account, client, ...rest }) {
      await db.query
        .insertInto('sign_in_attempts')
        .values({ account, client, ...rest })
        .onConflict((conflict) => conflict.columns(['account', 'client']).doUpdateSet(rest))
        .execute()
    },
    async remove(rows) {
      const remove = (row: Pick<SignInAttemptRow, 'account' | 'client'>) =>
        db.query
          .deleteFrom('sign_in_attempts')
          .where('account', '=', row.account)
          .where('client', '=', row.client)
          .compile()
      if (rows.length > 0) await db.transaction(rows.map(remove))
    },
  }
}
