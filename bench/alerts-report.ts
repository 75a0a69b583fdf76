import type { Figures } from './figures.ts'
import { missedRows, type Row, rowTable, withBlock } from './rows.ts'

/** One cycle in which every guest has changed. */
export interface Ticks {
  medianMs: number
  p95Ms: number
  /** the longest batch */
  batchMs: number
}

/** The cost of alert evaluation. */
export interface AlertFigures {
  guests: number
  plain: Ticks
  /** 500 guests have their own thresholds */
  overrides: Ticks
  /** the same, and 500 alerts are open */
  open: Ticks
  machine: Figures['machine']
}

const budget = () => 30

const of = (what: string, read: (figures: AlertFigures) => Ticks): Row<AlertFigures>[] => [
  { what: `${what}, median`, unit: 'ms per cycle', read: (f) => read(f).medianMs, limit: budget },
  { what: `${what}, p95`, unit: 'ms', read: (f) => read(f).p95Ms },
  { what: `${what}, longest batch of 500 guests`, unit: 'ms', read: (f) => read(f).batchMs },
]

const rows: readonly Row<AlertFigures>[] = [
  ...of('Global thresholds', (f) => f.plain),
  ...of('500 guests with overrides', (f) => f.overrides),
  ...of('500 guests with overrides, 500 active alerts', (f) => f.open),
]

export const alertTable = (figures: AlertFigures): string =>
  rowTable(rows, figures, `Alert evaluation, ${figures.guests.toLocaleString('en')} guests changed`)

export const missedAlertBudgets = (figures: AlertFigures): string[] => missedRows(rows, figures)

/** The page with the figures between two lines of docs/benchmarks.md. */
export const withAlerts = (page: string, figures: AlertFigures, date: string): string =>
  withBlock(
    page,
    {
      begin: '<!-- alerts: written by `npm run bench -- --alerts 10000 --document` -->',
      end: '<!-- end of the alerts -->',
    },
    { date, machine: figures.machine, table: alertTable(figures), missed: missedAlertBudgets(figures) },
  )
