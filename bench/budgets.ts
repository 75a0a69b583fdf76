import type { Figures } from './figures.ts'

interface Budget {
  what: string
  unit: string
  /** undefined if the scenario does not measure it */
  read: (figures: Figures) => number | undefined
  /** undefined if this size has no budget */
  limit: (figures: Figures) => number | undefined
}

const none = () => undefined
const always = (limit: number) => () => limit
const at = (limits: Record<number, number>) => (f: Figures) => limits[f.guests]
const at2500 = (limit: number) => at({ 2500: limit })

/** The budgets of the product, in the order of docs/benchmarks.md. */
export const budgets: readonly Budget[] = [
  {
    what: 'Main thread per update: script, style, layout, paint',
    unit: 'ms',
    read: (f) => f.browser?.mainThreadMsPerUpdate,
    limit: at2500(15),
  },
  { what: 'Script per update', unit: 'ms', read: (f) => f.browser?.scriptMsPerUpdate, limit: none },
  { what: 'Style and layout per update', unit: 'ms', read: (f) => f.browser?.layoutMsPerUpdate, limit: none },
  { what: 'Paint per update', unit: 'ms', read: (f) => f.browser?.paintMsPerUpdate, limit: none },
  { what: 'Frames per update', unit: '', read: (f) => f.browser?.framesPerUpdate, limit: at2500(3) },
  {
    what: 'Main thread per update, sorted by CPU',
    unit: 'ms',
    read: (f) => f.browser?.sortedMainThreadMsPerUpdate,
    limit: none,
  },
  {
    what: 'Main thread per update, with trends',
    unit: 'ms',
    read: (f) => f.browser?.trendsMainThreadMsPerUpdate,
    limit: (f) => (f.guests === 2500 && f.browser ? 1.3 * f.browser.mainThreadMsPerUpdate : undefined),
  },
  {
    what: 'All main-thread tasks per update, including browser tasks',
    unit: 'ms',
    read: (f) => f.browser?.allTasksMsPerUpdate,
    limit: none,
  },
  {
    what: 'Longest main-thread task after load',
    unit: 'ms',
    read: (f) => f.browser?.longestTaskMs,
    limit: at2500(50),
  },
  {
    what: 'Guest rows in the DOM after navigation',
    unit: 'ms',
    read: (f) => f.browser?.rowsVisibleMs,
    limit: at2500(500),
  },
  { what: 'DOM nodes', unit: '', read: (f) => f.browser?.domNodes, limit: at2500(5000) },
  { what: 'JS heap after collection', unit: 'MB', read: (f) => f.browser?.heapMB, limit: at2500(40) },
  {
    what: 'Poll answer to pixel, p95',
    unit: 'ms',
    read: (f) => f.browser?.answerToPixelP95Ms,
    limit: at2500(500),
  },
  {
    what: 'First page, JS + CSS, brotli',
    unit: 'kB',
    read: (f) => f.bundle.firstPageKB,
    limit: always(170),
  },
  { what: 'Whole app, brotli', unit: 'kB', read: (f) => f.bundle.totalKB, limit: always(600) },
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
  { what: 'Snapshot on connect', unit: 'kB', read: (f) => f.wire.snapshotBytes / 1000, limit: none },
  { what: 'Whole state, documented protocol', unit: 'kB', read: (f) => f.wire.fullBytes / 1000, limit: none },
  { what: 'Server CPU, 5 clients', unit: '% of a core', read: (f) => f.server.cpuPercent, limit: at2500(5) },
  {
    what: 'Server CPU per cycle and 1,000 guests',
    unit: 'ms',
    read: (f) => f.server.cpuMsPerCyclePer1000Guests,
    limit: none,
  },
  {
    what: 'Server CPU, 50 clients',
    unit: '% of a core',
    read: (f) => f.server.cpu50ClientsPercent,
    limit: none,
  },
  {
    what: 'Server CPU, 50 clients of the documented protocol',
    unit: '% of a core',
    read: (f) => f.server.cpu50PlainPercent,
    limit: none,
  },
  {
    what: 'Server RSS, 5 clients',
    unit: 'MB',
    read: (f) => f.server.rssMB,
    limit: at({ 75: 140, 10_000: 480 }),
  },
  { what: 'Server RSS, 50 clients', unit: 'MB', read: (f) => f.server.rss50ClientsMB, limit: at2500(260) },
  {
    what: 'Server RSS, 50 clients of the documented protocol',
    unit: 'MB',
    read: (f) => f.server.rss50PlainMB,
    limit: none,
  },
  {
    what: 'Server RSS after 50 clients disconnected',
    unit: 'MB',
    read: (f) => f.server.rssAfterMB,
    limit: none,
  },
  { what: 'Server RSS, peak', unit: 'MB', read: (f) => f.server.rssPeakMB, limit: none },
  {
    what: 'Longest event loop block in a minute',
    unit: 'ms',
    read: (f) => f.server.longestBlockMs,
    limit: at({ 2500: 30, 10_000: 50 }),
  },
  {
    what: 'Longest event loop block, 50 clients',
    unit: 'ms',
    read: (f) => f.server.longestBlock50ClientsMs,
    limit: none,
  },
  {
    what: 'Event loop delay, p99',
    unit: 'ms',
    read: (f) => f.server.waitP99Ms,
    limit: none,
  },
  {
    what: 'GET /api/state to the last byte, gzip, p95',
    unit: 'ms',
    read: (f) => f.server.stateP95Ms,
    limit: at2500(25),
  },
  {
    what: 'GET /api/state to the last byte, uncompressed, p95',
    unit: 'ms',
    read: (f) => f.server.statePlainP95Ms,
    limit: none,
  },
  {
    what: 'List and metric calls per source and minute (10 + 4 per node)',
    unit: '',
    read: (f) => f.server.listCallsPerSourcePerMinute,
    limit: (f) => f.server.listCallBudgetPerSource,
  },
  {
    what: 'Calls per running guest and minute, the higher of VMs and containers',
    unit: '',
    read: (f) => f.server.probeCallsPerGuestPerMinute,
    limit: always(2),
  },
  {
    what: 'Poll answer to message, p95',
    unit: 'ms',
    read: (f) => f.latency.answerToMessageP95Ms,
    limit: none,
  },
  {
    what: 'Poll answer to message, p95, 50 clients',
    unit: 'ms',
    read: (f) => f.latency.answerToMessage50ClientsP95Ms,
    limit: none,
  },
  {
    what: 'Start to first answer on /api/health',
    unit: 'ms',
    read: (f) => f.server.startMs,
    limit: at({ 10_000: 1500 }),
  },
]

/** The budgets of several processes (`--cluster`). */
export const clusterBudgets = {
  /** CPU of two that collect, one that judges and two that serve, in that of one process */
  cpuRatio: 1.6,
  answerToPixelP95Ms: 700,
  /** bytes to the NATS server, in those of the compact protocol */
  wireRatio: 2,
  serveRssMB: 350,
  wholeStateMs: 3_000,
  collectorTakeoverMs: 15_000,
  leadTakeoverMs: 10_000,
  /** exponent of CPU and memory from the smaller to the larger estate: linear, with 5 % for what cannot be repeated */
  growth: 1.05,
}

export function missedBudgets(all: readonly Figures[]): string[] {
  return budgets.flatMap((budget) =>
    all.flatMap((figures) => {
      const value = budget.read(figures)
      const most = budget.limit(figures)
      if (!isMissed(value, most)) return []
      return [`${budget.what}, ${figures.scenario}: ${show(value!)} ${budget.unit} against ${show(most!)}`]
    }),
  )
}

export const isMissed = (value: number | undefined, most: number | undefined): boolean =>
  value !== undefined && most !== undefined && value > most

export const show = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : String(Math.round(value * 10) / 10)
