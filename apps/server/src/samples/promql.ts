import type { SampledField } from '@pulse/domain'
import { gapMetric, idLabel, metricOf } from './series.ts'

/** VictoriaMetrics refuses queries of more than 16,384 bytes. */
const mostIdBytes = 6_000
const mostIds = 400

/** A string of PromQL, which has the escapes of Go. Those of JSON are among them. */
const stringLiteral = (text: string): string => JSON.stringify(text.toWellFormed())

/** A text as an expression of RE2 that matches only itself. */
const escaped = (text: string): string => text.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`)

function idMatcher(ids: readonly string[]): string {
  const labels = ids.map(idLabel)
  return labels.length === 1
    ? `id=${stringLiteral(labels[0]!)}`
    : `id=~${stringLiteral(labels.map(escaped).join('|'))}`
}

/** The samples of a figure of these things. */
export const selectorOf = (field: SampledField, ids: readonly string[]): string =>
  `${metricOf(field)}{kind=${stringLiteral(field.kind)},${idMatcher(ids)}}`

/** Why the same figure has none. */
export const gapSelectorOf = (field: SampledField, ids: readonly string[]): string =>
  `${gapMetric}{figure=${stringLiteral(metricOf(field))},kind=${stringLiteral(field.kind)},${idMatcher(ids)}}`

/** Ids in parts that fit into a query, with at most so many each. */
export function* partsOf(ids: Iterable<string>, most: number): Generator<string[], void> {
  let part: string[] = []
  let bytes = 0
  for (const id of ids) {
    const own = Buffer.byteLength(stringLiteral(escaped(idLabel(id)))) + 1
    if (part.length > 0 && (bytes + own > mostIdBytes || part.length >= Math.min(most, mostIds))) {
      yield part
      part = []
      bytes = 0
    }
    part.push(id)
    bytes += own
  }
  if (part.length > 0) yield part
}
