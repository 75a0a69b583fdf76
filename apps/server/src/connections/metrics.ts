import type { RunningCollector } from '../collectors/source.ts'
import type { Metric } from '../metric.ts'
import type { ConnectionArea } from './connections.ts'

/** What asking costs, by connection, since it was begun to be asked. */
export function callMetrics({ watched }: Pick<ConnectionArea, 'watched'>): readonly Metric[] {
  const of = (
    type: Metric['type'],
    name: string,
    help: string,
    value: (totals: ReturnType<RunningCollector['totals']>, running: RunningCollector) => number,
  ): Metric => ({
    name,
    type,
    help,
    labels: ['id'],
    samples: () => watched().map(({ id, running }) => [value(running.totals(), running), id] as const),
  })
  return [
    of('counter', 'pulse_source_calls_total', 'Calls of the API of a connection.', ({ calls }) => calls),
    of(
      'counter',
      'pulse_source_calls_failed_total',
      'Calls of the API of a connection that failed.',
      ({ failed }) => failed,
    ),
    of(
      'counter',
      'pulse_source_call_seconds_total',
      'Seconds that calls of the API of a connection took.',
      ({ callSeconds }) => callSeconds,
    ),
    of(
      'counter',
      'pulse_source_calls_deferred_total',
      'Calls of the API of a connection put off because those of a minute were used up.',
      (_, running) => running.calls().deferredCalls,
    ),
    of(
      'counter',
      'pulse_source_cycles_total',
      'Listings of everything that a connection has.',
      ({ cycles }) => cycles,
    ),
    of(
      'gauge',
      'pulse_source_cycle_duration_seconds',
      'How long the newest listing of everything a connection has took.',
      ({ lastCycleSeconds }) => lastCycleSeconds,
    ),
  ]
}
