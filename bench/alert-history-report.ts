import type { Figures } from './figures.ts'
import { missedRows, type Row, rowTable, withBlock } from './rows.ts'

export interface AlertPage {
  rowsVisibleMs: number
  /** of the main thread: until all rows are loaded; while the page is open; while a user works with it */
  longestLoadTaskMs: number
  longestOpenTaskMs: number
  longestUsedTaskMs: number
  heapMB: number
  domNodes: number
}

/** The cost of many alerts. */
export interface AlertHistoryFigures {
  /** rows of the history */
  history: number
  guests: number
  /** active alerts, each with its own threshold */
  open: number
  machine: Figures['machine']
  pages: { history: AlertPage; thresholds: AlertPage; overview: AlertPage }
}

const taskMs = () => 100

const ofPage = (
  name: string,
  page: keyof AlertHistoryFigures['pages'],
): readonly Row<AlertHistoryFigures>[] => [
  { what: `${name}: first rows after navigation`, unit: 'ms', read: (f) => f.pages[page].rowsVisibleMs },
  {
    what: `${name}: longest main-thread task while loading`,
    unit: 'ms',
    read: (f) => f.pages[page].longestLoadTaskMs,
    limit: taskMs,
  },
  {
    what: `${name}: longest main-thread task while open`,
    unit: 'ms',
    read: (f) => f.pages[page].longestOpenTaskMs,
    limit: taskMs,
  },
  {
    what: `${name}: longest main-thread task while in use`,
    unit: 'ms',
    read: (f) => f.pages[page].longestUsedTaskMs,
    limit: taskMs,
  },
  { what: `${name}: JS heap after collection`, unit: 'MB', read: (f) => f.pages[page].heapMB },
  { what: `${name}: DOM nodes`, unit: '', read: (f) => f.pages[page].domNodes },
]

const rows: readonly Row<AlertHistoryFigures>[] = [
  ...ofPage('History of 30 days', 'history'),
  ...ofPage('Thresholds', 'thresholds'),
  ...ofPage('Overview', 'overview'),
]

export function alertHistoryTable(figures: AlertHistoryFigures): string {
  const [history, guests, open] = [figures.history, figures.guests, figures.open].map((n) =>
    n.toLocaleString('en'),
  )
  return rowTable(rows, figures, `${history} rows, ${guests} guests, ${open} alerts`)
}

export const missedAlertHistoryBudgets = (figures: AlertHistoryFigures): string[] => missedRows(rows, figures)

/** The page with the figures between two lines of docs/benchmarks.md. */
export const withAlertHistory = (page: string, figures: AlertHistoryFigures, date: string): string =>
  withBlock(
    page,
    {
      begin: '<!-- alert history: written by `npm run bench -- --alert-history 10000 --document` -->',
      end: '<!-- end of the alert history -->',
    },
    {
      date,
      machine: figures.machine,
      table: alertHistoryTable(figures),
      missed: missedAlertHistoryBudgets(figures),
    },
  )
