import { createHash } from 'node:crypto'
import type { Metric, Sample } from '../metric.ts'

/** Samples written between two turns of the event loop: well below a millisecond. */
export const SAMPLES_A_STEP = 250
/** What people write into a name is theirs; how much of it a database of samples keeps for each series is not. */
const LONGEST_VALUE = 256

/** The text format 0.0.4 of Prometheus, a piece a step: no estate is so large that its metrics hold up anything. */
export function* exposition(
  metrics: Iterable<Metric>,
  /** as it may be seen from outside */
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
 * Two samples of one series make a scrape invalid as a whole, and what stands inside a record, such as a mount point, is told
 * twice at times. It is enough to remember those of one record.
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

/** Others that begin alike stay apart, and halves of characters too, which all become the same sign on their way out. */
function shortened(value: string): string {
  const digest = createHash('sha256').update(value, 'utf16le').digest('hex').slice(0, 12)
  return `${value.slice(0, LONGEST_VALUE - digest.length - 1).toWellFormed()}~${digest}`
}
