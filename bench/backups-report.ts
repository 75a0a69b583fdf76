import type { Figures } from './figures.ts'
import { missedRows, type Row, rowTable, withBlock } from './rows.ts'

/** What many backups cost. Sizes in MB and kB are decimal. */
export interface BackupFigures {
  backups: number
  /** that hold any */
  namespaces: number
  server: {
    /** from switching backup polling on to the last backup */
    collectedS: number
    /** to the backup server, the most of any minute */
    callsPerMinute: number
    callBudget: number
    /** the most, by stretch of time: without backups; with them, while everything is read again; while they are collected; while a page is opened; ever */
    rssBeforeMB: number
    rssMB: number
    rssGrowthMB: number
    rssCollectingMB: number
    rssOpenedMB: number
    rssPeakMB: number
    cpuPercent: number
    /** longest blocks of the event loop in the same stretches */
    blockBeforeMs: number
    blockCollectingMs: number
    blockSteadyMs: number
    blockOpenedMs: number
  }
  /** all backups, as a page that is opened gets them */
  slice: { bytes: number; textBytes: number; firstMs: number; againMs: number }
  machine: Figures['machine']
  page: {
    rowsVisibleMs: number
    /** of the main thread: until all rows are there; with the page open; while it is sorted, scrolled and searched */
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
    what: 'From switching backup polling on to the last backup',
    unit: 's',
    read: (f) => f.server.collectedS,
  },
  {
    what: 'Calls to the backup server, the most of any minute',
    unit: '',
    read: (f) => f.server.callsPerMinute,
    limit: (f) => f.server.callBudget,
  },
  { what: 'Server RSS without backups', unit: 'MB', read: (f) => f.server.rssBeforeMB },
  { what: 'Server RSS with them, all read again once', unit: 'MB', read: (f) => f.server.rssMB },
  { what: 'Growth of it', unit: 'MB', read: (f) => f.server.rssGrowthMB },
  { what: 'Server RSS while they are collected', unit: 'MB', read: (f) => f.server.rssCollectingMB },
  { what: 'Server RSS while a page is opened', unit: 'MB', read: (f) => f.server.rssOpenedMB },
  { what: 'Server RSS, the most it ever was', unit: 'MB', read: (f) => f.server.rssPeakMB },
  { what: 'Server CPU, all read again once', unit: '% of a core', read: (f) => f.server.cpuPercent },
  {
    what: 'Longest block of the event loop without backups',
    unit: 'ms',
    read: (f) => f.server.blockBeforeMs,
  },
  { what: 'while they are collected', unit: 'ms', read: (f) => f.server.blockCollectingMs },
  { what: 'with them, all read again once', unit: 'ms', read: (f) => f.server.blockSteadyMs },
  { what: 'while a page is opened', unit: 'ms', read: (f) => f.server.blockOpenedMs },
  { what: 'All backups as a page gets them', unit: 'kB', read: (f) => f.slice.bytes / 1000 },
  { what: 'of it before compression', unit: 'kB', read: (f) => f.slice.textBytes / 1000 },
  { what: 'From asking for them to the last byte, first page', unit: 'ms', read: (f) => f.slice.firstMs },
  { what: 'the slowest of the next four', unit: 'ms', read: (f) => f.slice.againMs },
  { what: 'Backups page: first rows after navigation', unit: 'ms', read: (f) => f.page.rowsVisibleMs },
  {
    what: 'longest main-thread task while it loads',
    unit: 'ms',
    read: (f) => f.page.longestLoadTaskMs,
    limit: taskMs,
  },
  { what: 'while it is open', unit: 'ms', read: (f) => f.page.longestOpenTaskMs, limit: taskMs },
  {
    what: 'while it is sorted, scrolled and searched',
    unit: 'ms',
    read: (f) => f.page.longestUsedTaskMs,
    limit: taskMs,
  },
  { what: 'JS heap after collection', unit: 'MB', read: (f) => f.page.heapMB, limit: () => 120 },
  { what: 'DOM nodes', unit: '', read: (f) => f.page.domNodes },
]

export function backupTable(figures: BackupFigures): string {
  const { backups, namespaces } = figures
  const what = `${backups.toLocaleString('en')} backups in ${namespaces.toLocaleString('en')} namespaces that hold any`
  return rowTable(rows, figures, what)
}

export const missedBackupBudgets = (figures: BackupFigures): string[] => missedRows(rows, figures)

/** Between the two lines of docs/benchmarks.md. */
export const withBackups = (page: string, figures: BackupFigures, date: string): string =>
  withBlock(
    page,
    {
      begin: '<!-- backups: written by `npm run bench -- --backups 50000 --document` -->',
      end: '<!-- end of the backups -->',
    },
    { date, machine: figures.machine, table: backupTable(figures), missed: missedBackupBudgets(figures) },
  )
