import type { CompiledQuery } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { UnsavedPlace } from './unsaved-records.ts'

/** The row of `meta` that says which records are written. */
const markKey = 'unsaved'

/** The newest record that the database has or passes over. */
export async function markIn({ query }: Database): Promise<UnsavedPlace> {
  const row = await query.selectFrom('meta').select('value').where('key', '=', markKey).executeTakeFirst()
  const [fence = '', number] = row?.value.split(' ') ?? []
  return { fence, number: Number(number ?? 0) }
}

export function markingOf({ query }: Database, { fence, number }: UnsavedPlace): CompiledQuery {
  const value = `${fence} ${number}`
  return query
    .insertInto('meta')
    .values({ key: markKey, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .compile()
}

/** of the process that leads */
export const fenceIn = async ({ query }: Database): Promise<string> =>
  (await query.selectFrom('leadership').select('fence').executeTakeFirstOrThrow()).fence
