import type { ChangeWord, HistoryChange } from '@pulse/contract'
import { formatUptime } from '../../lib/format.ts'
import { changeText } from '../changes/change-text.ts'
import type { ChartEvent, EventSymbol } from '../chart/series.ts'

export const eventSymbols: Partial<Record<ChangeWord, EventSymbol>> = {
  started: 'power',
  stopped: 'power',
  restarted: 'power',
  moved: 'move',
  backupStarted: 'backup',
  backupEnded: 'backup',
}

/** What begins one with each end of it. */
const begins: Partial<Record<ChangeWord, ChangeWord>> = { started: 'stopped', backupEnded: 'backupStarted' }

/** What happened to a thing, newest first as the changes are. A stop lasts until the next start, a backup until its end. */
export function changeEvents(changes: readonly HistoryChange[]): ChartEvent[] {
  const events: ChartEvent[] = []
  /** by symbol: the oldest change so far, if it is an end */
  const ends = new Map<EventSymbol, { at: number; begin: ChangeWord; index: number }>()
  for (const change of changes) {
    const symbol = symbolOf(change)
    const end = ends.get(symbol)
    if (end && end.begin === change.what) {
      events[end.index] = bandOf(change, end.at)
      ends.delete(symbol)
      continue
    }
    events.push(markOf(change))
    const begin = begins[change.what]
    if (begin) ends.set(symbol, { at: change.at, begin, index: events.length - 1 })
    else ends.delete(symbol)
  }
  return events.toSorted((a, b) => b.from - a.from)
}

const symbolOf = ({ what }: HistoryChange): EventSymbol => eventSymbols[what] ?? 'power'

const markOf = (change: HistoryChange): ChartEvent => ({
  id: `${change.at} ${change.what}`,
  from: change.at,
  to: change.at,
  text: changeText(change),
  symbol: symbolOf(change),
})

function bandOf(begin: HistoryChange, to: number): ChartEvent {
  const length = formatUptime((to - begin.at) / 1_000)
  const text = begin.what === 'backupStarted' ? `Backup, ${length}` : `${changeText(begin)} for ${length}`
  return { ...markOf(begin), to, text }
}

/** A backup run starts some seconds before its guest is locked, and ends after it. */
const nearMs = 60_000

export const isNear = ({ from, to }: ChartEvent, at: number): boolean =>
  from - nearMs <= at && at <= to + nearMs

const isBand = ({ from, to }: ChartEvent) => to > from

/**
 * Each backup once. Runs also say whether they failed, so that they replace those of the change log; but those replace
 * a backup of which only the time is known.
 */
export function withBackups(logged: readonly ChartEvent[], backups: readonly ChartEvent[]): ChartEvent[] {
  const isSame = (a: ChartEvent, b: ChartEvent) => isNear(a, b.from) || isNear(b, a.from)
  const bands = logged.filter((one) => one.symbol === 'backup' && isBand(one))
  const known = backups.filter((one) => isBand(one) || !bands.some((band) => isSame(band, one)))
  const others = logged.filter(
    (one) => one.symbol !== 'backup' || !known.some((backup) => isSame(backup, one)),
  )
  return [...others, ...known].toSorted((a, b) => b.from - a.from)
}
