import type { Database } from './open.ts'
import { counter, gauge, type Metric } from '../metric.ts'

export const databaseMetrics = ({ figures }: Pick<Database, 'figures'>): readonly Metric[] => [
  gauge(
    'pulse_database_calls_waiting',
    'Calls of the database that are not answered yet.',
    () => figures().waiting,
  ),
  counter('pulse_database_calls_total', 'Calls of the database of Pulse.', () => figures().calls),
  counter(
    'pulse_database_calls_failed_total',
    'Calls of the database of Pulse that failed.',
    () => figures().failed,
  ),
  counter(
    'pulse_database_call_seconds_total',
    'Seconds that calls of the database took, waiting included.',
    () => figures().seconds,
  ),
  counter(
    'pulse_database_restarts_total',
    'How often the thread of the database ended and was replaced.',
    () => figures().restarts,
  ),
]
