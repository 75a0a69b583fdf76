import type { Maintenance } from './database.ts'
import { counter, gauge, type Metric } from '../metric.ts'

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
