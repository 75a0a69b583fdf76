import {
  type AlertMetric,
  type MeasuredKind,
  metricsOfKind,
  overrideKey,
  type OverrideKind,
} from '@pulse/contract'
import { lazyPart } from '../../../ui/code/lazy-part.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { cellName, metricOfCell, useEditing } from './editing.tsx'
import type { ThresholdTable } from './tables.ts'

/** A threshold whose alerts of the past are counted. */
export interface Tested {
  kind: MeasuredKind
  metric: AlertMetric
  /** key of one record; absent: the defaults, for all records */
  id?: string
}

const Panel = lazyPart('Back-test', async () => ({ default: (await import('./back-test-panel.tsx')).BackTestPanel }), {
  fallback: () => <Skeleton className="m-3 h-16" />,
  renderFailure: ({ error }) => <p className="p-3 text-table">{`The back-test could not be loaded: ${error.message}`}</p>,
})

/** What the threshold edited last in this table would have done. Nothing loads before one is edited. */
export function BackTestOf({ table }: { table: ThresholdTable }) {
  const { last } = useEditing()
  const tested = testedBy(last, table.kind)
  if (!tested) return null
  const metric = table.metrics.find(({ key }) => key === tested.metric)!
  return <Panel tested={tested} header={metric.header} noun={table.noun} />
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

const isMeasured = (kind: OverrideKind): kind is MeasuredKind & OverrideKind => Object.hasOwn(metricsOfKind, kind)

const isMetricOf = (kind: MeasuredKind, metric: string): metric is AlertMetric =>
  (metricsOfKind[kind] as readonly string[]).includes(metric)
