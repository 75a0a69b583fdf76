import os from 'node:os'
import { budgets, callBudgetMissed, missedBudgets, show } from './budgets.ts'
import type { Figures } from './figures.ts'

/** The table for people: measured figures beside their budgets, missed ones marked. */
export function table(all: readonly Figures[]): string {
  const head = ['What', ...all.map((f) => `${f.guests.toLocaleString('en')} guests`), 'Budget']
  const rows = budgets.map(({ what, unit, read, limit }) => {
    const cells = all.map((f) => {
      const most = limit(f.guests)
      const text = show(read(f))
      return most !== undefined && read(f) > most ? `**${text} (missed)**` : text
    })
    const limits = all.flatMap((f) => {
      const most = limit(f.guests)
      return most === undefined ? [] : [`${most.toLocaleString('en')} at ${f.guests.toLocaleString('en')}`]
    })
    const same = new Set(limits.map((text) => text.split(' at ')[0]))
    const budget = limits.length > 1 && same.size === 1 ? [...same][0]! : limits.join(', ')
    return [unit ? `${what}, ${unit}` : what, ...cells, budget || '–']
  })
  rows.push([
    'Budget of list calls per cluster (10 + 4 per node)',
    ...all.map((f) => `${f.server.listCallBudgetPerCluster}${callBudgetMissed(f) ? ' **(missed)**' : ''}`),
    '',
  ])
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** How cost grows with size: 1 is linear, less is better. Between the smallest and the largest size measured. */
export function slope(all: readonly Figures[]): string {
  if (all.length < 2) return ''
  const [first, last] = [all[0]!, all.at(-1)!]
  const growth = (read: (f: Figures) => number) =>
    Math.log(read(last) / read(first)) / Math.log(last.guests / first.guests)
  const rows: [string, (f: Figures) => number][] = [
    ['server CPU per cycle', (f) => f.server.cpuMsPerCycle],
    ['server RSS', (f) => f.server.rssMB],
    ['bytes per update', (f) => f.wire.bytesPerUpdate],
    ['main thread per update', (f) => f.browser.mainThreadMsPerUpdate],
  ]
  const parts = rows.map(([name, read]) => `${name} ${growth(read).toFixed(2)}`)
  return `Growth exponent from ${first.guests} to ${last.guests} guests (1 is linear): ${parts.join(', ')}.`
}

export function document(all: readonly Figures[], date: string): string {
  const missed = missedBudgets(all)
  const { totalmem, cpus } = os
  return `# Benchmarks

\`npm run bench\` starts a simulated estate, the server and a headless Chromium in processes of their own, polls every ten
seconds over HTTPS, and measures. About 60 % of the guests change between two polls. An update is everything that happens
in one ten-second cycle. Compare figures within one run only: the machine is shared.

Measured on ${date}, ${cpus().length} cores, ${Math.round(totalmem() / 1e9)} GB, Node ${process.version.slice(1)}.

${table(all)}

${slope(all)}

${missed.length === 0 ? 'No budget was missed.' : `Missed budgets:\n\n${missed.map((text) => `- ${text}`).join('\n')}`}

\`npm run bench -- --guests 2500 --out FILE\` measures one size and writes the figures as JSON.
\`npm run bench -- --disk\` measures what is written to disk; it takes an hour. \`npm run bench -- --hashes\` measures what
guessing a password or the passphrase of an export costs.
A figure that could not be measured fails the run.

${notMeasured}
`
}

const notMeasured = 'Disk written: not measured yet.'

/** Takes an hour and is measured apart, by `--disk`: its line outlives the others. */
export const diskLine = (page: string): string =>
  page.split('\n').find((line) => line.startsWith('Disk written: ')) ?? notMeasured

export const withDiskLine = (page: string, line: string): string => page.replace(diskLine(page), line)
