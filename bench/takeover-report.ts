import { clusterBudgets as budget } from './budgets.ts'
import { missedRows, type Row, rowTable, withBlock } from './rows.ts'

/** From the kill of a process until others do its work. */
export interface TakeoverFigures {
  /** of each of the two */
  kills: number
  collectorWorstMs: number
  collectorMedianMs: number
  leadWorstMs: number
  leadMedianMs: number
}

const rows: readonly Row<TakeoverFigures>[] = [
  {
    what: 'Sources of a killed process are polled by others, worst',
    unit: 's',
    read: (f) => f.collectorWorstMs / 1000,
    limit: () => budget.collectorTakeoverMs / 1000,
  },
  {
    what: 'Sources of a killed process are polled by others, median',
    unit: 's',
    read: (f) => f.collectorMedianMs / 1000,
  },
  {
    what: 'Another process leads after the one that led was killed, worst',
    unit: 's',
    read: (f) => f.leadWorstMs / 1000,
    limit: () => budget.leadTakeoverMs / 1000,
  },
  {
    what: 'Another process leads after the one that led was killed, median',
    unit: 's',
    read: (f) => f.leadMedianMs / 1000,
  },
]

export const takeoverTable = (figures: TakeoverFigures): string =>
  rowTable(rows, figures, `${figures.kills} kills each`)

export const missedTakeoverBudgets = (figures: TakeoverFigures): string[] => missedRows(rows, figures)

/** The page with the figures between two lines of docs/benchmarks.md. */
export const withTakeover = (page: string, figures: TakeoverFigures, date: string): string =>
  withBlock(
    page,
    {
      begin:
        '<!-- takeover: written by `npm run bench -- --cluster --part takeover --kills 50 --document` -->',
      end: '<!-- end of the takeover -->',
    },
    { date, table: takeoverTable(figures), missed: missedTakeoverBudgets(figures) },
  )
