import { clusterBudgets, isMissed, show } from './budgets.ts'
import type { EngineFigures, RolesFigures } from './cluster-figures.ts'
import type { Figures } from './figures.ts'
import { withBlock } from './rows.ts'

/** An estate of many clusters, polled by five processes. */
export interface LargeFigures {
  scenario: string
  guests: number
  sources: number
  /** from the first connection that is added until the whole estate is on the pages */
  completeMs: number
  /** that brought new figures of guests */
  answersPerSourceAndMinute: number
  /** for lists and metrics */
  callsOfBusiestSourcePerMinute: number
  /** of all processes of the product, of one core */
  cpuPercent: number
  roles: RolesFigures
  engines: EngineFigures
  /** from the processes that collect */
  natsBytesPerMinute: number
  clientBytesPerMinute: number
  machine: Figures['machine']
}

interface Column {
  what: string
  read: (figures: LargeFigures) => number
  /** has a budget for its growth */
  grows?: true
}

const rows: readonly Column[] = [
  { what: 'Until the whole estate is on the pages, s', read: (f) => f.completeMs / 1000 },
  { what: 'Answers with new figures, per source and minute', read: (f) => f.answersPerSourceAndMinute },
  {
    what: 'List and metric calls per minute, busiest source',
    read: (f) => f.callsOfBusiestSourcePerMinute,
  },
  { what: 'CPU of all processes, % of a core', read: (f) => f.cpuPercent, grows: true },
  { what: 'CPU, five that collect, % of a core', read: (f) => f.roles.collect.cpuPercent, grows: true },
  { what: 'CPU, the one that judges, % of a core', read: (f) => f.roles.judge.cpuPercent, grows: true },
  { what: 'CPU, the one that serves, % of a core', read: (f) => f.roles.serve.cpuPercent, grows: true },
  { what: 'CPU, NATS server, % of a core', read: (f) => f.engines.natsCpuPercent },
  { what: 'CPU, PostgreSQL, % of a core', read: (f) => f.engines.postgresCpuPercent },
  { what: 'RSS, largest that collects, MB', read: (f) => f.roles.collect.rssMB, grows: true },
  { what: 'RSS, the one that judges, MB', read: (f) => f.roles.judge.rssMB, grows: true },
  { what: 'RSS, the one that serves, MB', read: (f) => f.roles.serve.rssMB, grows: true },
  {
    what: 'Longest event loop block, collecting, ms',
    read: (f) => f.roles.collect.longestBlockMs,
  },
  { what: 'Longest event loop block, judging, ms', read: (f) => f.roles.judge.longestBlockMs },
  { what: 'Longest event loop block, serving, ms', read: (f) => f.roles.serve.longestBlockMs },
  { what: 'To the NATS server per minute, kB', read: (f) => f.natsBytesPerMinute / 1000, grows: true },
  { what: 'To one browser per minute, kB', read: (f) => f.clientBytesPerMinute / 1000, grows: true },
]

/** The exponent of the growth from the smaller to the larger estate: 1 is linear, less is better. */
function growth({ read }: Column, [small, large]: readonly LargeFigures[]): number {
  return Math.log(read(large!) / read(small!)) / Math.log(large!.guests / small!.guests)
}

export function largeTable(all: readonly LargeFigures[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const head = ['What', ...all.map(({ scenario }) => scenario), 'Growth exponent', 'Budget']
  const body = rows.map((row) => {
    const grown = growth(row, all)
    const most = row.grows && clusterBudgets.growth
    const text = isMissed(grown, most) ? `**${grown.toFixed(2)} (missed)**` : grown.toFixed(2)
    return [row.what, ...all.map((figures) => show(row.read(figures))), text, String(most ?? '–')]
  })
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n')
}

export const missedLargeBudgets = (all: readonly LargeFigures[]): string[] =>
  rows.flatMap((row) => {
    const grown = growth(row, all)
    const most = clusterBudgets.growth
    return row.grows && isMissed(grown, most)
      ? [`${row.what}: it grows with exponent ${grown.toFixed(2)} against ${most}`]
      : []
  })

/** The page with the figures between two lines of docs/benchmarks.md. */
export const withLarge = (page: string, all: readonly LargeFigures[], date: string): string =>
  withBlock(
    page,
    {
      begin: '<!-- large estate: written by `npm run bench -- --cluster --part large --document` -->',
      end: '<!-- end of the large estate -->',
    },
    { date, machine: all.at(-1)!.machine, table: largeTable(all), missed: missedLargeBudgets(all) },
  )
