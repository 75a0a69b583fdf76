import type { Figures } from './figures.ts'
import { missedRows, type Row, rowTable, withBlock } from './rows.ts'

/** How reports of agents were answered over some time. */
export interface Intake {
  reports: number
  /** 5xx, and those that nobody answered */
  failed: number
  /** told to come later, with a 429 */
  putOff: number
  p50Ms: number
  p99Ms: number
  mostMs: number
}

/** What many agents of container hosts cost. Sizes in MB and kB are decimal. */
export interface AgentFigures {
  hosts: number
  containersPerHost: number
  intervalSeconds: number
  /** as they are sent, compressed or not */
  bytesPerReport: number
  steady: Intake
  /** all of them within a moment, as after an outage */
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
  { what: 'Reports in the time that was measured', unit: '', read: (f) => f.steady.reports },
  { what: 'Size of a report as it is sent', unit: 'kB', read: (f) => f.bytesPerReport / 1000 },
  {
    what: 'Answered with an error of the server, or not at all',
    unit: '',
    read: (f) => f.steady.failed,
    limit: () => 0,
  },
  { what: 'Told to come later', unit: '', read: (f) => f.steady.putOff },
  {
    what: 'From the first byte of a report to the last of its answer, median',
    unit: 'ms',
    read: (f) => f.steady.p50Ms,
  },
  { what: 'p99', unit: 'ms', read: (f) => f.steady.p99Ms, limit: () => 1_000 },
  { what: 'the slowest', unit: 'ms', read: (f) => f.steady.mostMs },
  {
    what: 'All at once: answered with an error, or not at all',
    unit: '',
    read: (f) => f.atOnce.failed,
    limit: () => 0,
  },
  { what: 'told to come later', unit: '', read: (f) => f.atOnce.putOff },
  { what: 'p99, the wait for the others before it counted', unit: 'ms', read: (f) => f.atOnce.p99Ms },
  { what: 'Server CPU before the first agent', unit: '% of a core', read: (f) => f.server.cpuBeforePercent },
  { what: 'Server CPU with all of them', unit: '% of a core', read: (f) => f.server.cpuPercent },
  { what: 'Server RSS before the first agent', unit: 'MB', read: (f) => f.server.rssBeforeMB },
  { what: 'Server RSS with all of them', unit: 'MB', read: (f) => f.server.rssMB },
  { what: 'Server RSS while all report at once', unit: 'MB', read: (f) => f.server.rssAtOnceMB },
  { what: 'Longest block of the event loop', unit: 'ms', read: (f) => f.server.blockMs },
  { what: 'while all report at once', unit: 'ms', read: (f) => f.server.blockAtOnceMs },
  { what: 'What comes waits for the event loop, p99', unit: 'ms', read: (f) => f.server.waitP99Ms },
  { what: 'To one browser in ten seconds', unit: 'kB', read: (f) => f.bytesPer10s / 1000 },
  { what: 'Docker tab: first rows after navigation', unit: 'ms', read: (f) => f.page.rowsVisibleMs },
  {
    what: 'main thread in ten seconds: script, style, layout, paint',
    unit: 'ms',
    read: (f) => f.page.mainThreadMsPer10s,
  },
  { what: 'longest main-thread task', unit: 'ms', read: (f) => f.page.longestTaskMs, limit: () => 50 },
  { what: 'JS heap after collection', unit: 'MB', read: (f) => f.page.heapMB },
  { what: 'DOM nodes', unit: '', read: (f) => f.page.domNodes },
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

/** Between the two lines of docs/benchmarks.md. */
export const withAgents = (page: string, figures: AgentFigures, date: string): string =>
  withBlock(
    page,
    {
      begin: '<!-- agents: written by `npm run bench -- --agents 500 --document` -->',
      end: '<!-- end of the agents -->',
    },
    { date, machine: figures.machine, table: agentTable(figures), missed: missedAgentBudgets(figures) },
  )
