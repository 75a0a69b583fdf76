import type { Figures } from './figures.ts'
import type { HistoryAnswers } from './history-answers.ts'
import { missedRows, type Row, rowTable, withBlock } from './rows.ts'

/** The cost of the history. Sizes in MB and GB are decimal. Above 2,500 guests only what the live server notices. */
export interface HistoryFigures {
  guests: number
  kept?: {
    /** of the guests, gaps not counted */
    samplesPerDay: number
    /** of samples as polled */
    bytesPerSample: number
    /** of a core, for sampling and encoding */
    samplingPercent: number
    sampleMsPerTick: number
    encodeMsPerTick: number
    /** of all tiers after a year, with their default lengths */
    yearBytes: number
    minuteBytesPerDay: number
    quarterBytesPerDay: number
  }
  read?: { rawDayP95Ms: number; monthP95Ms: number }
  /** median time to the first answer; and of the history, which opens its file for it */
  start?: { withMs: number; withoutMs: number; openMs: number }
  answers?: HistoryAnswers
  /** of the server, peak */
  memory: { withMB: number; withoutMB: number }
  /** of the event loop, in the same minutes as the memory */
  longestBlock: { withMs: number; withoutMs: number }
  machine: Figures['machine']
}

/** Of a part of the figures, which an estate may not have. */
function rowsOf<P extends 'kept' | 'read' | 'start' | 'answers'>(
  part: P,
  own: readonly {
    what: string
    unit: string
    read: (figures: HistoryFigures[P] & object) => number
    most?: number
  }[],
): Row<HistoryFigures>[] {
  return own.map(({ what, unit, read, most }) => ({
    what,
    unit,
    read: (figures) => (figures[part] ? read(figures[part]) : undefined),
    ...(most !== undefined && { limit: () => most }),
  }))
}

/** Most of the budgets are for 2,500 guests. */
const rows: readonly Row<HistoryFigures>[] = [
  ...rowsOf('kept', [
    { what: 'Samples per day', unit: 'millions', read: (f) => f.samplesPerDay / 1e6 },
    { what: 'Sample as polled, on disk', unit: 'bytes', read: (f) => f.bytesPerSample, most: 1.5 },
    { what: 'Minutes of one day, on disk', unit: 'MB', read: (f) => f.minuteBytesPerDay / 1e6 },
    { what: 'Quarter hours of one day, on disk', unit: 'MB', read: (f) => f.quarterBytesPerDay / 1e6 },
    { what: 'All tiers after a year, extrapolated', unit: 'GB', read: (f) => f.yearBytes / 1e9, most: 6 },
    {
      what: 'Sampling and encoding, every 10 s',
      unit: '% of a core',
      read: (f) => f.samplingPercent,
      most: 1.5,
    },
    { what: 'Sampling and copy to the thread, CPU', unit: 'ms per tick', read: (f) => f.sampleMsPerTick },
    {
      what: 'Encoding, blocks of hours and days included, CPU',
      unit: 'ms per tick',
      read: (f) => f.encodeMsPerTick,
    },
  ]),
  {
    what: 'Memory of the history: peak RSS with and without it',
    unit: 'MB',
    read: ({ memory }) => memory.withMB - memory.withoutMB,
    limit: ({ guests }) => (guests > 2_500 ? undefined : 40),
  },
  { what: 'Peak RSS with history, 5 clients', unit: 'MB', read: ({ memory }) => memory.withMB },
  { what: 'Peak RSS without history, 5 clients', unit: 'MB', read: ({ memory }) => memory.withoutMB },
  {
    what: 'Longest event loop block with history',
    unit: 'ms',
    read: ({ longestBlock }) => longestBlock.withMs,
    limit: () => 30,
  },
  {
    what: 'Longest event loop block without history',
    unit: 'ms',
    read: ({ longestBlock }) => longestBlock.withoutMs,
  },
  ...rowsOf('read', [
    { what: 'One series over 24 hours as polled, p95', unit: 'ms', read: (f) => f.rawDayP95Ms, most: 10 },
    { what: 'One series over 30 days, p95', unit: 'ms', read: (f) => f.monthP95Ms, most: 20 },
  ]),
  ...rowsOf('start', [
    {
      what: 'Start after a kill, later than without history',
      unit: 'ms',
      read: (f) => f.withMs - f.withoutMs,
      most: 1_000,
    },
    { what: 'Start after a kill, to the first answer of the history', unit: 'ms', read: (f) => f.openMs },
  ]),
  ...rowsOf('answers', [
    { what: 'CPU of all guests over the last hour, p95', unit: 'ms', read: (f) => f.trendsP95Ms, most: 50 },
    { what: 'The same, compressed', unit: 'kB', read: (f) => f.trendsBytes / 1_000, most: 120 },
    { what: 'The whole estate at one moment, p95', unit: 'ms', read: (f) => f.stateP95Ms, most: 300 },
    { what: 'Documented charts of 24 hours', unit: 's', read: (f) => f.chartsMs / 1_000 },
    { what: 'Their size', unit: 'MB', read: (f) => f.chartsBytes / 1e6 },
    { what: 'Longest event loop block meanwhile', unit: 'ms', read: (f) => f.chartsBlockMs, most: 30 },
    {
      what: 'Back-test of a threshold that fires very often, slowest of five',
      unit: 'ms',
      read: (f) => f.backTestMs,
      most: 2_000,
    },
    { what: 'Its alerts', unit: '', read: (f) => f.backTestAlerts },
  ]),
]

export const historyTable = (figures: HistoryFigures): string =>
  rowTable(rows, figures, `History of ${figures.guests.toLocaleString('en')} guests`)

export const missedHistoryBudgets = (figures: HistoryFigures): string[] => missedRows(rows, figures)

/** The page with the figures between two lines of docs/benchmarks.md. */
export const withHistory = (page: string, figures: HistoryFigures, date: string): string =>
  withBlock(
    page,
    {
      begin: '<!-- metric history: written by `npm run bench -- --history 2500 --document` -->',
      end: '<!-- end of the metric history -->',
    },
    { date, machine: figures.machine, table: historyTable(figures), missed: missedHistoryBudgets(figures) },
  )
