import type { Figures } from './figures.ts'
import { missedRows, type Row, rowTable, withBlock } from './rows.ts'

/** Responses to reports over a period. */
export interface Intake {
  reports: number
  /** 5xx responses, and requests without a response */
  failed: number
  /** answered with 429 */
  putOff: number
  p50Ms: number
  p99Ms: number
  mostMs: number
}

/** The cost of many agents. Sizes in MB and kB are decimal. */
export interface AgentFigures {
  hosts: number
  containersPerHost: number
  intervalSeconds: number
  /** as sent, compressed or not */
  bytesPerReport: number
  steady: Intake
  /** all agents at once, as after an outage */
  atOnce: Intake
  server: {
    cpuBeforePercent: number
    cpuPercent: number
    rssBeforeMB: number
    rssMB: number
    rssAtOnceMB: number
    blockMs: number
    blockAtOnceMs: number
    waitP99Ms: number
  }
  /** to one client of the compact protocol */
  bytesPer10s: number
  machine: Figures['machine']
  /** the Docker tab in a real browser */
  page: {
    rowsVisibleMs: number
    mainThreadMsPer10s: number
    longestTaskMs: number
    heapMB: number
    domNodes: number
  }
}

const rows: readonly Row<AgentFigures>[] = [
  { what: 'Reports measured', unit: '', read: (f) => f.steady.reports },
  { what: 'Report size as sent', unit: 'kB', read: (f) => f.bytesPerReport / 1000 },
  {
    what: 'Server errors or no answer',
    unit: '',
    read: (f) => f.steady.failed,
    limit: () => 0,
  },
  { what: 'Deferred with 429', unit: '', read: (f) => f.steady.putOff },
  {
    what: 'First byte of a report to last byte of the answer, median',
    unit: 'ms',
    read: (f) => f.steady.p50Ms,
  },
  {
    what: 'First byte of a report to last byte of the answer, p99',
    unit: 'ms',
    read: (f) => f.steady.p99Ms,
    limit: () => 1_000,
  },
  {
    what: 'First byte of a report to last byte of the answer, slowest',
    unit: 'ms',
    read: (f) => f.steady.mostMs,
  },
  {
    what: 'All at once: server errors or no answer',
    unit: '',
    read: (f) => f.atOnce.failed,
    limit: () => 0,
  },
  { what: 'All at once: deferred with 429', unit: '', read: (f) => f.atOnce.putOff },
  { what: 'All at once: p99, including the queue', unit: 'ms', read: (f) => f.atOnce.p99Ms },
  { what: 'Server CPU without agents', unit: '% of a core', read: (f) => f.server.cpuBeforePercent },
  { what: 'Server CPU with all agents', unit: '% of a core', read: (f) => f.server.cpuPercent },
  { what: 'Server RSS without agents', unit: 'MB', read: (f) => f.server.rssBeforeMB },
  { what: 'Server RSS with all agents', unit: 'MB', read: (f) => f.server.rssMB },
  { what: 'All at once: server RSS', unit: 'MB', read: (f) => f.server.rssAtOnceMB },
  { what: 'Longest event loop block', unit: 'ms', read: (f) => f.server.blockMs },
  { what: 'All at once: longest event loop block', unit: 'ms', read: (f) => f.server.blockAtOnceMs },
  { what: 'Event loop delay, p99', unit: 'ms', read: (f) => f.server.waitP99Ms },
  { what: 'Sent to one browser in ten seconds', unit: 'kB', read: (f) => f.bytesPer10s / 1000 },
  { what: 'Docker tab: first rows after navigation', unit: 'ms', read: (f) => f.page.rowsVisibleMs },
  {
    what: 'Docker tab: main thread in ten seconds: script, style, layout, paint',
    unit: 'ms',
    read: (f) => f.page.mainThreadMsPer10s,
  },
  {
    what: 'Docker tab: longest main-thread task',
    unit: 'ms',
    read: (f) => f.page.longestTaskMs,
    limit: () => 50,
  },
  { what: 'Docker tab: JS heap after collection', unit: 'MB', read: (f) => f.page.heapMB },
  { what: 'Docker tab: DOM nodes', unit: '', read: (f) => f.page.domNodes },
]

export function agentTable(figures: AgentFigures): string {
  const { hosts, containersPerHost, intervalSeconds } = figures
  return rowTable(
    rows,
    figures,
    `${hosts} agents × ${containersPerHost} containers, every ${intervalSeconds} s`,
  )
}

export const missedAgentBudgets = (figures: AgentFigures): string[] => missedRows(rows, figures)

/** The page with the figures between two lines of docs/benchmarks.md. */
export const withAgents = (page: string, figures: AgentFigures, date: string): string =>
  withBlock(
    page,
    {
      begin: '<!-- agents: written by `npm run bench -- --agents 500 --document` -->',
      end: '<!-- end of the agents -->',
    },
    { date, machine: figures.machine, table: agentTable(figures), missed: missedAgentBudgets(figures) },
  )
