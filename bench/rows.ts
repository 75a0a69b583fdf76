import os from 'node:os'
import { isMissed, show } from './budgets.ts'
import type { Figures } from './figures.ts'

/** One figure of a single measurement, with its budget if any. */
export interface Row<T> {
  what: string
  unit: string
  /** undefined: not measured at that size */
  read: (figures: T) => number | undefined
  limit?: (figures: T) => number | undefined
}

const nameOf = <T>({ what, unit }: Row<T>) => (unit ? `${what}, ${unit}` : what)

export function rowTable<T>(rows: readonly Row<T>[], figures: T, head: string): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const heads = ['What', head, 'Budget']
  const body = rows.flatMap((row) => {
    const value = row.read(figures)
    if (value === undefined) return []
    const most = row.limit?.(figures)
    const text = isMissed(value, most) ? `**${show(value)} (missed)**` : show(value)
    return [[nameOf(row), text, most === undefined ? '–' : show(most)]]
  })
  return [heads, heads.map(() => '---'), ...body].map(line).join('\n')
}

export const missedRows = <T>(rows: readonly Row<T>[], figures: T): string[] =>
  rows.flatMap((row) => {
    const value = row.read(figures)
    const most = row.limit?.(figures)
    return value !== undefined && isMissed(value, most)
      ? [`${nameOf(row)}: ${show(value)} against ${show(most!)}`]
      : []
  })

interface Block {
  date: string
  /** absent if its processes came and went */
  machine?: Figures['machine']
  table: string
  missed: readonly string[]
}

/** The page with the measured figures between two of its lines. */
export function withBlock(
  page: string,
  { begin, end }: { begin: string; end: string },
  block: Block,
): string {
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`docs/benchmarks.md has lost the lines\n${begin}\n${end}`)
  const { date, machine, table, missed } = block
  const measured = [
    `Measured on ${date}, ${os.cpus().length} cores, Node ${process.version.slice(1)}${machine ? busy(machine) : ''}.`,
    table,
    missed.length === 0
      ? 'No budget was missed.'
      : `Missed budgets:\n\n${missed.map((text) => `- ${text}`).join('\n')}`,
  ]
  return `${page.slice(0, from)}${begin}\n\n${measured.join('\n\n')}\n\n${page.slice(to)}`
}

const busy = ({ idlePercent, othersPercent }: Figures['machine']) =>
  `; CPU ${show(idlePercent)} % idle, ${show(othersPercent)} % used by other programs`
