import {
  type AlertMetric,
  type MeasuredKind,
  metricsOfKind,
  overrideKey,
  type OverrideKind,
} from '@pulse/contract'
import { cellName, metricOfCell } from './editing.tsx'

/** A threshold whose alerts of the past are counted. */
export interface Tested {
  kind: MeasuredKind
  metric: AlertMetric
  /** key of one record; absent: the defaults, for all records */
  id?: string
}

/** Only metrics with a history can be tested. */
export function testedBy(cell: string | undefined, kind: OverrideKind): Tested | undefined {
  if (cell === undefined || !isMeasured(kind)) return undefined
  const metric = metricOfCell(cell)
  if (!isMetricOf(kind, metric)) return undefined
  const prefix = overrideKey(kind, '')
  if (cell === cellName(`defaults:${kind}`, metric)) return { kind, metric }
  if (!cell.startsWith(prefix)) return undefined
  return { kind, metric, id: cell.slice(prefix.length, -metric.length - 1) }
}

const isMeasured = (kind: OverrideKind): kind is MeasuredKind & OverrideKind =>
  Object.hasOwn(metricsOfKind, kind)

const isMetricOf = (kind: MeasuredKind, metric: string): metric is AlertMetric =>
  (metricsOfKind[kind] as readonly string[]).includes(metric)
