import type { CompiledQuery, Kysely } from 'kysely'
import { counter, gauge, type Metric } from '../metric.ts'
import type { Statement, StatementResult } from './messages.ts'
import type { Schema } from './schema.ts'

/**
 * Access to the stored rows for areas, independent of the database. Counts, sums and `bigint` columns are
 * numbers in every result; times and counts stay below 2^53.
 */
export interface Database {
  query: Kysely<Schema>
  /** Runs all queries in one transaction: either all take effect, or none. */
  transaction(queries: readonly CompiledQuery[]): Promise<void>
  /** The first rows of a query that fit into one answer; at least one row if any exists. */
  page<Row>(query: CompiledQuery<Row>): Promise<Row[]>
}

/** Functions that only the embedded database has. They belong to the data folder, not to an area. */
export interface Maintenance {
  /** Runs statements of the SQLite dialect in one transaction, such as a migration. */
  run(statements: readonly Statement[]): Promise<StatementResult[]>
  /** Writes a complete copy of the file to `to`. */
  backup(to: string): Promise<void>
  /** Renews the copy that replaces a lost or damaged file; false when no important data has changed. */
  renewCopy(to: string, nowMs: number): Promise<boolean>
  figures(): DatabaseFigures
  close(): Promise<void>
}

/** Since the start. */
export interface DatabaseFigures {
  /** calls without an answer yet */
  waiting: number
  calls: number
  failed: number
  /** total time of all calls, from request to answer */
  seconds: number
  /** restarts of the thread */
  restarts: number
}

export const databaseMetrics = ({ figures }: Pick<Maintenance, 'figures'>): readonly Metric[] => [
  gauge('pulse_database_calls_waiting', 'Pending database calls.', () => figures().waiting),
  counter('pulse_database_calls_total', 'Database calls.', () => figures().calls),
  counter('pulse_database_calls_failed_total', 'Failed database calls.', () => figures().failed),
  counter(
    'pulse_database_call_seconds_total',
    'Time spent in database calls, queueing included, in seconds.',
    () => figures().seconds,
  ),
  counter(
    'pulse_database_restarts_total',
    'Restarts of the database thread after it ended unexpectedly.',
    () => figures().restarts,
  ),
]
