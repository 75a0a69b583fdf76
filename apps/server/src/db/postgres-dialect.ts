import {
  type CompiledQuery,
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import pg from 'pg'
import { driverOf } from './driver.ts'

/** The types of counts and sums, whose values stay below 2^53. */
const numberTypes: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC]

/** Counts and sums are numbers, as in the embedded database; `pg` has them as texts. */
export const parserOf: typeof pg.types.getTypeParser = ((type: number, format?: 'text') =>
  numberTypes.includes(type) ? Number : pg.types.getTypeParser(type, format)) as never

/** Kysely's dialect of PostgreSQL, whose queries are run by the caller. */
export function postgresDialect(run: (query: CompiledQuery) => Promise<pg.QueryResult>): Dialect {
  const driver = driverOf(async (query) => {
    const { rows, rowCount } = await run(query)
    return { rows, changes: rowCount ?? 0 }
  })
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}
