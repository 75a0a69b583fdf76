import {
  type BackTestKind,
  backTestMetrics,
  type BackTestMetric,
  hasHistory,
  overrideKey,
  type OverrideKind,
} from '@pulse/contract'
import { cellName, metricOfCell } from './editing.tsx'
import { whyUntested } from './untested.ts'

/** A threshold whose alerts of the past are counted. */
export interface Tested {
  kind: BackTestKind
  metric: BackTestMetric
  /** key of one record; absent: the defaults, for all records */
  id?: string
}

/** A threshold without a history. */
export interface Untested {
  metric: string
  why: string
}

/** Only thresholds whose figure has a history can be tested. */
export function testedBy(cell: string | undefined, kind: OverrideKind): Tested | Untested | undefined {
  if (cell === undefined) return undefined
  const metric = metricOfCell(cell)
  const prefix = overrideKey(kind, '')
  const isDefault = cell === cellName(`defaults:${kind}`, metric)
  if (!isDefault && !cell.startsWith(prefix)) return undefined
  if (!isTestedKind(kind) || !hasHistory(kind, metric)) return { metric, why: whyUntested(metric) }
  return isDefault ? { kind, metric } : { kind, metric, id: cell.slice(prefix.length, -metric.length - 1) }
}

const isTestedKind = (kind: OverrideKind): kind is BackTestKind & OverrideKind =>
  Object.hasOwn(backTestMetrics, kind)
