import os from 'node:os'
import { budgets, isMissed, missedBudgets, show } from './budgets.ts'
import type { Figures } from './figures.ts'

/** The table of figures and budgets, with missed ones marked and the figures of an older version. */
export function table(all: readonly Figures[], before: readonly Figures[] = []): string {
  const beforeOf = new Map(before.map((figures) => [figures.scenario, figures]))
  const head = ['What', ...all.map(({ scenario }) => scenario), 'Budget']
  const rows = budgets.map((budget) => {
    const { what, unit, read, limit } = budget
    const cells = all.map((figures) => {
      const value = read(figures)
      if (value === undefined) return '–'
      const old = beforeOf.get(figures.scenario)
      const oldValue = old && read(old)
      const text = isMissed(value, limit(figures)) ? `**${show(value)} (missed)**` : show(value)
      return oldValue === undefined ? text : `${show(oldValue)} → ${text}`
    })
    return [unit ? `${what}, ${unit}` : what, ...cells, limits(all, budget)]
  })
  const machine = [
    'Idle CPU during the measurement (used by other programs), %',
    ...all.map((figures) => {
      const now = idle(figures)
      const old = beforeOf.get(figures.scenario)
      return old ? `${idle(old)} → ${now}` : now
    }),
    '–',
  ]
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line), line(machine)].join('\n')
}

const idle = ({ machine }: Figures) => `${show(machine.idlePercent)} (${show(machine.othersPercent)})`

function limits(all: readonly Figures[], { limit }: (typeof budgets)[number]): string {
  const given = all.flatMap((figures) => {
    const most = limit(figures)
    return most === undefined ? [] : [{ most: show(most), size: figures.guests.toLocaleString('en') }]
  })
  const byMost = Map.groupBy(given, ({ most }) => most)
  if (byMost.size === 1 && given.length === all.length) return given[0]!.most
  const texts = [...byMost].map(
    ([most, sizes]) => `${most} at ${[...new Set(sizes.map(({ size }) => size))].join(', ')}`,
  )
  return texts.join('; ') || '–'
}

/** One line about the load of the machine. */
export const machineLine = ({ scenario, machine }: Figures): string =>
  `${scenario}: load ${machine.loadBefore.toFixed(1)} before, ${machine.loadDuring.toFixed(1)} during; ` +
  `CPU ${show(machine.idlePercent)} % idle, ${show(machine.othersPercent)} % used by other programs`

/** How cost grows from the smallest to the largest cluster estate: 1 is linear, less is better. */
export function slope(all: readonly Figures[]): string {
  const seen = all.filter(({ browser }) => browser)
  if (seen.length < 2) return ''
  const [first, last] = [seen[0]!, seen.at(-1)!]
  const growth = (read: (f: Figures) => number) =>
    Math.log(read(last) / read(first)) / Math.log(last.guests / first.guests)
  const rows: [string, (f: Figures) => number][] = [
    ['server CPU per cycle', (f) => f.server.cpuMsPerCycle],
    ['server RSS', (f) => f.server.rssMB],
    ['bytes per update', (f) => f.wire.bytesPerUpdate],
    ['main thread per update', (f) => f.browser!.mainThreadMsPerUpdate],
  ]
  const parts = rows.map(([name, read]) => `${name} ${growth(read).toFixed(2)}`)
  return `Growth exponent from ${first.guests} to ${last.guests} guests (1 is linear): ${parts.join(', ')}.`
}

const begin = '<!-- measured: written by `npm run bench -- --document` -->'
const end = '<!-- end of what was measured -->'

/** The page with its measured part replaced; the text around it stays. */
export function withMeasured(
  page: string,
  all: readonly Figures[],
  before: readonly Figures[],
  date: string,
): string {
  const missed = missedBudgets(all)
  const { totalmem, cpus } = os
  const measured = [
    `Measured on ${date}, ${cpus().length} cores, ${Math.round(totalmem() / 1e9)} GB, Node ${process.version.slice(1)}.` +
      (before.length === 0 ? '' : ' Before → after in one run, each size right after the other.'),
    table(all, before),
    slope(all),
    missed.length === 0
      ? 'No budget was missed.'
      : `Missed budgets:\n\n${missed.map((text) => `- ${text}`).join('\n')}`,
    all
      .map(machineLine)
      .map((text) => `- ${text}`)
      .join('\n'),
  ]
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`docs/benchmarks.md has lost the lines\n${begin}\n${end}`)
  return `${page.slice(0, from)}${begin}\n\n${measured.filter(Boolean).join('\n\n')}\n\n${page.slice(to)}`
}

const diskLineOf = (page: string): string =>
  page.split('\n').find((line) => line.startsWith('Disk written: ')) ?? 'Disk written: not measured yet.'

export const withDiskLine = (page: string, line: string): string => page.replace(diskLineOf(page), line)

/** The lines of the agent, one for each number of containers. */
export const withAgentLines = (page: string, lines: string): string =>
  page.replace(/(?:^- Agent\b.*\n)+/m, () => lines.replaceAll(/^/gm, '- ') + '\n')
