import { clusterBudgets as budget } from './budgets.ts'
import type { ClusterFigures } from './cluster-figures.ts'
import { missedRows, type Row, rowTable, withBlock } from './rows.ts'

const rows: readonly Row<ClusterFigures>[] = [
  {
    what: 'CPU of all five processes, in that of the one process',
    unit: '',
    read: (f) => f.cpuRatio,
    limit: () => budget.cpuRatio,
  },
  { what: 'CPU, one process', unit: '% of a core', read: (f) => f.embedded.cpuPercent },
  { what: 'CPU, both that collect', unit: '% of a core', read: (f) => f.roles.collect.cpuPercent },
  { what: 'CPU, the one that judges', unit: '% of a core', read: (f) => f.roles.judge.cpuPercent },
  { what: 'CPU, both that serve', unit: '% of a core', read: (f) => f.roles.serve.cpuPercent },
  { what: 'CPU, NATS server', unit: '% of a core', read: (f) => f.engines.natsCpuPercent },
  { what: 'CPU, PostgreSQL', unit: '% of a core', read: (f) => f.engines.postgresCpuPercent },
  {
    what: 'Poll answer to pixel, p95, through a process that serves',
    unit: 'ms',
    read: (f) => f.latency.toPixelP95Ms,
    limit: () => budget.answerToPixelP95Ms,
  },
  { what: 'Poll answer to pixel, p95, one process', unit: 'ms', read: (f) => f.latency.embeddedToPixelP95Ms },
  {
    what: 'Poll answer to message, p95, through a process that serves',
    unit: 'ms',
    read: (f) => f.latency.toMessageP95Ms,
  },
  {
    what: 'Poll answer to message, p95, one process',
    unit: 'ms',
    read: (f) => f.latency.embeddedToMessageP95Ms,
  },
  {
    what: 'Bytes to the NATS server, in those to one browser',
    unit: '',
    read: (f) => f.wire.ratio,
    limit: () => budget.wireRatio,
  },
  {
    what: 'To the NATS server per poll, from those that collect',
    unit: 'kB',
    read: (f) => f.wire.natsBytesPerPoll / 1000,
  },
  {
    what: 'To the NATS server per poll, from the one that judges',
    unit: 'kB',
    read: (f) => f.wire.judgeBytesPerPoll / 1000,
  },
  { what: 'To one browser per poll', unit: 'kB', read: (f) => f.wire.deltaBytesPerPoll / 1000 },
  { what: 'RSS, one process', unit: 'MB', read: (f) => f.embedded.rssMB },
  { what: 'RSS, larger one that collects', unit: 'MB', read: (f) => f.roles.collect.rssMB },
  { what: 'RSS, the one that judges', unit: 'MB', read: (f) => f.roles.judge.rssMB },
  {
    what: 'RSS, larger one that serves',
    unit: 'MB',
    read: (f) => f.roles.serve.rssMB,
    limit: () => budget.serveRssMB,
  },
  { what: 'Longest event loop block, one process', unit: 'ms', read: (f) => f.embedded.longestBlockMs },
  { what: 'Longest event loop block, collecting', unit: 'ms', read: (f) => f.roles.collect.longestBlockMs },
  { what: 'Longest event loop block, judging', unit: 'ms', read: (f) => f.roles.judge.longestBlockMs },
  { what: 'Longest event loop block, serving', unit: 'ms', read: (f) => f.roles.serve.longestBlockMs },
  {
    what: 'A new process that serves: from its connection to NATS to the whole state',
    unit: 'ms',
    read: (f) => f.newServe.wholeStateMs,
    limit: () => budget.wholeStateMs,
  },
  {
    what: 'A new process that serves: from its start to the address that answers',
    unit: 'ms',
    read: (f) => f.newServe.startMs,
  },
]

export const clusterTable = (figures: ClusterFigures): string =>
  rowTable(
    rows,
    figures,
    `${figures.guests.toLocaleString('en')} guests, 2 that collect, 1 that judges, 2 that serve`,
  )

export const missedClusterBudgets = (figures: ClusterFigures): string[] => missedRows(rows, figures)

/** The page with the figures between two lines of docs/benchmarks.md. */
export const withCluster = (page: string, figures: ClusterFigures, date: string): string =>
  withBlock(
    page,
    {
      begin: '<!-- several processes: written by `npm run bench -- --cluster --part roles --document` -->',
      end: '<!-- end of the several processes -->',
    },
    { date, machine: figures.machine, table: clusterTable(figures), missed: missedClusterBudgets(figures) },
  )
