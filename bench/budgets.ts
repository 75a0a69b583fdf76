import type { Figures } from './figures.ts'

interface Budget {
  what: string
  unit: string
  read: (figures: Figures) => number
  /** undefined where the budget does not speak of that size */
  limit: (guests: number) => number | undefined
}

const always = (limit: number) => () => limit
const at2500 = (limit: number) => (guests: number) => (guests === 2500 ? limit : undefined)

/** The budgets the product is held to, in the order of docs/benchmarks.md. */
export const budgets: readonly Budget[] = [
  {
    what: 'Main thread per update: script, style, layout, paint',
    unit: 'ms',
    read: (f) => f.browser.mainThreadMsPerUpdate,
    limit: at2500(25),
  },
  {
    what: 'of it script',
    unit: 'ms',
    read: (f) => f.browser.scriptMsPerUpdate,
    limit: () => undefined,
  },
  {
    what: 'of it style and layout',
    unit: 'ms',
    read: (f) => f.browser.layoutMsPerUpdate,
    limit: () => undefined,
  },
  {
    what: 'of it paint',
    unit: 'ms',
    read: (f) => f.browser.paintMsPerUpdate,
    limit: () => undefined,
  },
  {
    what: 'All main-thread tasks per update, the browser\u2019s own included',
    unit: 'ms',
    read: (f) => f.browser.allTasksMsPerUpdate,
    limit: () => undefined,
  },
  {
    what: 'Longest main-thread task after load',
    unit: 'ms',
    read: (f) => f.browser.longestTaskMs,
    limit: at2500(50),
  },
  {
    what: 'Guest rows in the DOM after navigation',
    unit: 'ms',
    read: (f) => f.browser.rowsVisibleMs,
    limit: at2500(900),
  },
  { what: 'DOM nodes', unit: '', read: (f) => f.browser.domNodes, limit: at2500(5000) },
  { what: 'JS heap after collection', unit: 'MB', read: (f) => f.browser.heapMB, limit: at2500(40) },
  {
    what: 'Bytes per update per client',
    unit: 'kB',
    read: (f) => f.wire.bytesPerUpdate / 1000,
    limit: at2500(60),
  },
  {
    what: 'Bytes per update per client, 50 clients',
    unit: 'kB',
    read: (f) => f.wire.bytesPerUpdate50Clients / 1000,
    limit: at2500(60),
  },
  {
    what: 'Snapshot on connect',
    unit: 'kB',
    read: (f) => f.wire.snapshotBytes / 1000,
    limit: () => undefined,
  },
  {
    what: 'Whole state, documented protocol',
    unit: 'kB',
    read: (f) => f.wire.fullBytes / 1000,
    limit: () => undefined,
  },
  { what: 'Entry JS + CSS, brotli', unit: 'kB', read: (f) => f.bundle.entryKB, limit: always(130) },
  { what: 'Whole app, brotli', unit: 'kB', read: (f) => f.bundle.totalKB, limit: always(400) },
  {
    what: 'Server CPU, 5 clients',
    unit: '% of a core',
    read: (f) => f.server.cpuPercent,
    limit: at2500(5),
  },
  {
    what: 'Server CPU per cycle and 1,000 guests',
    unit: 'ms',
    read: (f) => f.server.cpuMsPerCyclePer1000Guests,
    limit: () => undefined,
  },
  {
    what: 'Server CPU with 50 clients of the documented protocol',
    unit: '% of a core',
    read: (f) => f.wire.full50ClientsCpuPercent,
    limit: () => undefined,
  },
  {
    what: 'Server RSS, 5 clients',
    unit: 'MB',
    read: (f) => f.server.rssMB,
    limit: (guests) => ({ 75: 110, 10000: 400 })[guests],
  },
  { what: 'Server RSS, 50 clients', unit: 'MB', read: (f) => f.server.rss50ClientsMB, limit: at2500(220) },
  { what: 'GET /api/state p95, gzip', unit: 'ms', read: (f) => f.server.stateP95Ms, limit: at2500(25) },
  { what: 'Event-loop delay p99', unit: 'ms', read: (f) => f.server.loopP99Ms, limit: at2500(20) },
  {
    what: 'List and metric calls per cluster and minute',
    unit: '',
    read: (f) => f.server.listCallsPerClusterPerMinute,
    limit: () => undefined,
  },
  {
    what: 'Guest probes per running VM and minute',
    unit: '',
    read: (f) => f.server.probeCallsPerVmPerMinute,
    limit: always(2),
  },
  {
    what: 'Poll answer to message, p95',
    unit: 'ms',
    read: (f) => f.latency.answerToMessageP95Ms,
    limit: () => undefined,
  },
  {
    what: 'Poll answer to message, p95, 50 clients',
    unit: 'ms',
    read: (f) => f.latency.answerToMessage50ClientsP95Ms,
    limit: () => undefined,
  },
  {
    what: 'Poll answer to pixel, p95',
    unit: 'ms',
    read: (f) => f.latency.answerToPixelP95Ms,
    limit: at2500(500),
  },
  {
    what: 'Start to first answer on /api/health',
    unit: 'ms',
    read: (f) => f.server.startMs,
    limit: (guests) => (guests === 10_000 ? 1500 : undefined),
  },
]

/** The call budget depends on the number of nodes, so it is checked apart. */
export const callBudgetMissed = (f: Figures): boolean =>
  f.server.listCallsPerClusterPerMinute > f.server.listCallBudgetPerCluster

export function missedBudgets(all: readonly Figures[]): string[] {
  const missed: string[] = []
  for (const figures of all) {
    for (const { what, unit, read, limit } of budgets) {
      const most = limit(figures.guests)
      const value = read(figures)
      if (most !== undefined && value > most) {
        missed.push(`${what}, ${figures.guests} guests: ${show(value)} ${unit} against ${most}`)
      }
    }
    if (callBudgetMissed(figures)) {
      const { listCallsPerClusterPerMinute: value, listCallBudgetPerCluster: most } = figures.server
      missed.push(
        `List and metric calls per cluster, ${figures.guests} guests: ${show(value)} against ${most}`,
      )
    }
  }
  return missed
}

export const show = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : String(Math.round(value * 10) / 10)
