import { createHash } from 'node:crypto'
import type { Metric, Sample } from '../metric.ts'

/** Samples per step: well below a millisecond. */
export const SAMPLES_A_STEP = 250
/** Longest label value. Names are free text, and a database stores them with each series. */
const LONGEST_VALUE = 256

/** The text format 0.0.4 of Prometheus, in steps that yield to the event loop. */
export function* exposition(
  metrics: Iterable<Metric>,
  /** Masks a label value. */
  shown: (value: string) => string = (value) => value,
): Generator<string, void, undefined> {
  let text = ''
  let taken = 0
  for (const metric of metrics) {
    text += `# HELP ${metric.name} ${escapeHelp(metric.help)}\n# TYPE ${metric.name} ${metric.type}\n`
    const isNew = createSeen()
    for (const [value, ...values] of metric.samples()) {
      if (++taken % SAMPLES_A_STEP === 0) {
        yield text
        text = ''
      }
      const number = Number(value)
      if (value === undefined || !Number.isFinite(number)) continue
      const labels = labelsOf(metric, values, shown)
      if (isNew(values[0], labels)) text += `${metric.name}${labels} ${number}\n`
    }
  }
  yield text
}

function labelsOf(
  { labels }: Metric,
  values: readonly Sample[1][],
  shown: (value: string) => string,
): string {
  if (labels.length === 0) return ''
  return `{${labels.map((label, i) => `${label}="${escapeValue(shown(values[i] ?? ''))}"`).join(',')}}`
}

/**
 * Two samples of one series invalidate the whole scrape, and some sources report parts of a record, such as
 * mount points, twice. Duplicates occur only within one record.
 */
function createSeen() {
  let of: string | undefined
  const seen = new Set<string>()
  return (first: string | undefined, labels: string): boolean => {
    if (first !== of) seen.clear()
    of = first
    return seen.size < seen.add(labels).size
  }
}

const escapeHelp = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

const isPlain = /^[^\\"\n]*$/

function escapeValue(value: string): string {
  const isWhole = value.length <= LONGEST_VALUE && value.isWellFormed()
  const kept = isWhole ? value : shortened(value)
  if (isPlain.test(kept)) return kept
  return kept.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

/**
 * The hash distinguishes values with the same beginning, and lone surrogates, which would all become U+FFFD.
 */
function shortened(value: string): string {
  const digest = createHash('sha256').update(value, 'utf16le').digest('hex').slice(0, 12)
  return `${value.slice(0, LONGEST_VALUE - digest.length - 1).toWellFormed()}~${digest}`
}
