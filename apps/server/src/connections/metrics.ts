import type { RunningCollector } from '../collectors/source.ts'
import type { Metric } from '../metric.ts'
import type { ConnectionArea } from './connections.ts'

/** The cost of polling, by connection, since polling began. */
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
    of('counter', 'pulse_source_calls_total', 'API calls to the connection.', ({ calls }) => calls),
    of(
      'counter',
      'pulse_source_calls_failed_total',
      'Failed API calls to the connection.',
      ({ failed }) => failed,
    ),
    of(
      'counter',
      'pulse_source_call_seconds_total',
      'Time spent in API calls to the connection, in seconds.',
      ({ callSeconds }) => callSeconds,
    ),
    of(
      'counter',
      'pulse_source_calls_deferred_total',
      'API calls deferred by the rate limit of the connection.',
      (_, running) => running.calls().deferredCalls,
    ),
    of(
      'counter',
      'pulse_source_cycles_total',
      'Completed polling cycles of the connection.',
      ({ cycles }) => cycles,
    ),
    of(
      'gauge',
      'pulse_source_cycle_duration_seconds',
      'Duration of the last polling cycle of the connection.',
      ({ lastCycleSeconds }) => lastCycleSeconds,
    ),
  ]
}
