import type { HistoryColumn, HistoryTableData } from './history-rows.ts'
import type { HistoryAnswer } from './use-series.ts'

interface Described {
  kind: string
  id: string
  name: string
}

/** For example `pulse-web-2026-11-21T15-30-00-to-2026-11-21T16-30-00.csv`, in UTC. */
export function fileName(
  name: string,
  { from, to }: Pick<HistoryAnswer, 'from' | 'to'>,
  ending: string,
): string {
  const time = (at: number) => new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')
  // a name may hold anything, and file systems do not
  const thing = name
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+/, '')
    .slice(0, 60)
  return `pulse-${thing || 'history'}-${time(from)}-to-${time(to)}.${ending}`
}

/** One line per time and per gap. Times are RFC 3339 in UTC, numbers have a point and no unit. */
export function toCsv(
  { columns, rows }: HistoryTableData,
  reasons: Readonly<Record<string, string>>,
): string {
  const heads = columns.flatMap(headsOf)
  const lines = rows.map((row) => {
    const time = new Date(row.at).toISOString()
    if (!('points' in row)) {
      const until = `${reasons[row.reason]} until ${new Date(row.to).toISOString()}`
      const note = row.labels.length > 0 ? `${row.labels.join(', ')}: ${until}` : until
      return [time, ...heads.map(() => ''), note]
    }
    const figures = columns.flatMap(({ form: { factor } }, index) => {
      const point = row.points[index]
      return point
        ? [point.mean, point.min, point.max].map((value) => plainNumber(value * factor))
        : ['', '', '']
    })
    return [time, ...figures, '']
  })
  return [['Time', ...heads, 'Gap'], ...lines].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
}

const headsOf = ({ label, form: { unit } }: HistoryColumn): string[] => {
  const name = unit ? `${label} (${unit})` : label
  return [`${name} mean`, `${name} min`, `${name} max`]
}

/** Six significant digits are more than any figure has. */
const plainNumber = (value: number): string => String(Number(value.toPrecision(6)))

/** Text that a spreadsheet would run as a formula gets an apostrophe. */
export function csvCell(text: string): string {
  const isNumber = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(text)
  const safe = !isNumber && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

interface Also {
  /** has its own times */
  lastWeek?: HistoryAnswer
  /** the names of several ids */
  guests?: readonly { id: string; name: string }[]
}

export const toJson = (thing: Described, answer: HistoryAnswer, also: Also = {}): string =>
  `${JSON.stringify({ ...thing, ...answer, ...also }, undefined, 2)}\n`
