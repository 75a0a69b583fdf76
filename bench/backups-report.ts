import type { Figures } from './figures.ts'
import { missedRows, type Row, rowTable, withBlock } from './rows.ts'

/** The cost of many backups. Sizes in MB and kB are decimal. */
export interface BackupFigures {
  backups: number
  /** with backups */
  namespaces: number
  server: {
    /** from enabling backup polling to the last backup */
    collectedS: number
    /** to the backup server, in the busiest minute */
    callsPerMinute: number
    callBudget: number
    /** maximum by period: without backups; with them, on a complete re-read; in collection; on opening; ever */
    rssBeforeMB: number
    rssMB: number
    rssGrowthMB: number
    rssCollectingMB: number
    rssOpenedMB: number
    rssPeakMB: number
    cpuPercent: number
    /** longest blocks of the event loop in the same periods */
    blockBeforeMs: number
    blockCollectingMs: number
    blockSteadyMs: number
    blockOpenedMs: number
  }
  /** all backups, as a page gets them when it is opened */
  slice: { bytes: number; textBytes: number; firstMs: number; againMs: number }
  machine: Figures['machine']
  page: {
    rowsVisibleMs: number
    /** of the main thread: while rows load; while the page is open; while a user sorts, scrolls and searches */
    longestLoadTaskMs: number
    longestOpenTaskMs: number
    longestUsedTaskMs: number
    heapMB: number
    domNodes: number
  }
}

const taskMs = () => 100

const rows: readonly Row<BackupFigures>[] = [
  {
    what: 'From enabling backup polling to the last backup',
    unit: 's',
    read: (f) => f.server.collectedS,
  },
  {
    what: 'Calls to the backup server, highest minute',
    unit: '',
    read: (f) => f.server.callsPerMinute,
    limit: (f) => f.server.callBudget,
  },
  { what: 'Server RSS without backups', unit: 'MB', read: (f) => f.server.rssBeforeMB },
  { what: 'Server RSS with backups, after a second full read', unit: 'MB', read: (f) => f.server.rssMB },
  { what: 'Server RSS, growth', unit: 'MB', read: (f) => f.server.rssGrowthMB },
  { what: 'Server RSS while collecting', unit: 'MB', read: (f) => f.server.rssCollectingMB },
  { what: 'Server RSS while a page is opened', unit: 'MB', read: (f) => f.server.rssOpenedMB },
  { what: 'Server RSS, peak', unit: 'MB', read: (f) => f.server.rssPeakMB },
  { what: 'Server CPU, second full read', unit: '% of a core', read: (f) => f.server.cpuPercent },
  {
    what: 'Longest event loop block without backups',
    unit: 'ms',
    read: (f) => f.server.blockBeforeMs,
  },
  { what: 'Longest event loop block while collecting', unit: 'ms', read: (f) => f.server.blockCollectingMs },
  { what: 'Longest event loop block, second full read', unit: 'ms', read: (f) => f.server.blockSteadyMs },
  {
    what: 'Longest event loop block while a page is opened',
    unit: 'ms',
    read: (f) => f.server.blockOpenedMs,
  },
  { what: 'All backups, as sent to a page', unit: 'kB', read: (f) => f.slice.bytes / 1000 },
  { what: 'All backups, before compression', unit: 'kB', read: (f) => f.slice.textBytes / 1000 },
  { what: 'All backups, request to last byte, first page', unit: 'ms', read: (f) => f.slice.firstMs },
  {
    what: 'All backups, request to last byte, slowest of four more',
    unit: 'ms',
    read: (f) => f.slice.againMs,
  },
  { what: 'Backups page: first rows after navigation', unit: 'ms', read: (f) => f.page.rowsVisibleMs },
  {
    what: 'Backups page: longest main-thread task while loading',
    unit: 'ms',
    read: (f) => f.page.longestLoadTaskMs,
    limit: taskMs,
  },
  {
    what: 'Backups page: longest main-thread task while open',
    unit: 'ms',
    read: (f) => f.page.longestOpenTaskMs,
    limit: taskMs,
  },
  {
    what: 'Backups page: longest main-thread task while sorting, scrolling, searching',
    unit: 'ms',
    read: (f) => f.page.longestUsedTaskMs,
    limit: taskMs,
  },
  {
    what: 'Backups page: JS heap after collection',
    unit: 'MB',
    read: (f) => f.page.heapMB,
    limit: () => 120,
  },
  { what: 'Backups page: DOM nodes', unit: '', read: (f) => f.page.domNodes },
]

export function backupTable(figures: BackupFigures): string {
  const { backups, namespaces } = figures
  const what = `${backups.toLocaleString('en')} backups in ${namespaces.toLocaleString('en')} non-empty namespaces`
  return rowTable(rows, figures, what)
}

export const missedBackupBudgets = (figures: BackupFigures): string[] => missedRows(rows, figures)

/** The page with the figures between two lines of docs/benchmarks.md. */
export const withBackups = (page: string, figures: BackupFigures, date: string): string =>
  withBlock(
    page,
    {
      begin: '<!-- backups: written by `npm run bench -- --backups 50000 --document` -->',
      end: '<!-- end of the backups -->',
    },
    { date, machine: figures.machine, table: backupTable(figures), missed: missedBackupBudgets(figures) },
  )
