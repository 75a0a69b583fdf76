import type { MeasuredKind, MetricOfKind } from '../alert-types.ts'
import type { FigureUnit } from '../entities/sampled-fields.ts'
import type { RecordKind } from '../kinds.ts'
import type { RecordOf } from '../state.ts'

/** A number that a record has. One entry here adds a figure. */
export interface Figure<R> {
  unit: FigureUnit
  /** undefined while unknown */
  read: (record: R) => number | boolean | undefined
  /** Whether the figure has its own age and is older than its limit. */
  isStale?: (record: R) => boolean
  /** Sampled for history: `gauge` unchanged, `rate` as an amount per second. */
  history?: 'gauge' | 'rate'
  /** Sampled of something that is stopped, too. */
  evenStopped?: true
  /** The field that it reads unchanged, by dot path. Its samples restore the field in a past state. */
  field?: string
  /** Exported to Prometheus. Name and type do not change after a release. */
  prometheus?: { name: string; help: string; type?: 'counter'; evenStale?: true }
}

/** The figures by name. A metric with a threshold has the figure of the same name. */
export type FiguresOf<K extends RecordKind> = Readonly<Record<string, Figure<RecordOf<K>>>> &
  (K extends MeasuredKind ? { readonly [M in MetricOfKind<K>]: Figure<RecordOf<K>> } : unknown)

/** The Prometheus metric of a figure. */
export const metric = (name: string, help: string) => ({ prometheus: { name, help } })

/** Prometheus uses seconds since 1970. */
export const inSeconds = (ms: number | undefined): number | undefined =>
  ms === undefined ? undefined : ms / 1000

/** Undefined while unknown or stale. */
export const freshValue = <R>({ read, isStale }: Figure<R>, record: R): number | boolean | undefined =>
  isStale?.(record) ? undefined : read(record)

/** Factors from the unit of a figure to the unit of its threshold. */
const toThreshold: Partial<Record<FigureUnit, number>> = { ratio: 100, 'bytes/s': 1 / 1_048_576 }

/** The value of a metric in the unit of its threshold, stale or not. */
export function thresholdValue<R>({ unit, read }: Figure<R>, record: R): number | undefined {
  const value = read(record)
  return typeof value === 'number' ? value * (toThreshold[unit] ?? 1) : undefined
}
