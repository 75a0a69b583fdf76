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
  return joinedBackups(events.toSorted((a, b) => b.from - a.from))
}

/** For its snapshot, the backup of a running container gives its lock away for some seconds. */
const pauseMs = 60_000

/** Newest first, as they are taken. */
function joinedBackups(events: readonly ChartEvent[]): ChartEvent[] {
  const joined: ChartEvent[] = []
  let later: { event: ChartEvent; index: number } | undefined
  for (const event of events) {
    const isBackup = event.symbol === 'backup' && isBand(event)
    if (isBackup && later && later.event.from - event.to < pauseMs) {
      const whole = { ...event, to: later.event.to }
      later.event = { ...whole, text: backupText(whole) }
      joined[later.index] = later.event
      continue
    }
    if (isBackup) later = { event, index: joined.length }
    joined.push(event)
  }
  return joined.toSorted((a, b) => b.from - a.from)
}

const isBand = ({ from, to }: ChartEvent) => to > from

/** `what`: other than usual */
export function backupText(
  { from, to }: Pick<ChartEvent, 'from' | 'to'>,
  error?: string,
  what = 'Backup',
): string {
  const result = error === undefined ? what : `${what} failed: ${error}`
  return to > from ? `${result}, ${formatUptime((to - from) / 1_000)}` : result
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
  const text =
    begin.what === 'backupStarted'
      ? backupText({ from: begin.at, to })
      : `${changeText(begin)} for ${formatUptime((to - begin.at) / 1_000)}`
  return { ...markOf(begin), to, text }
}

/** A backup run starts some seconds before its guest is locked, and ends after it. */
const nearMs = 60_000

export const isNear = ({ from, to }: ChartEvent, at: number): boolean =>
  from - nearMs <= at && at <= to + nearMs

/** A backup of the list of backups. */
export interface ListedBackup extends ChartEvent {
  /** absent: only its time is known */
  run?: { ofSeveral: boolean; error?: string | undefined }
}

/**
 * Each backup once. A run says whether it failed, so that it replaces the backup of the change log. A run of several
 * guests lasts from the first to the last of them, so that the times are those of the change log then.
 */
export function withBackups(logged: readonly ChartEvent[], backups: readonly ListedBackup[]): ChartEvent[] {
  const isSame = (a: ChartEvent, b: ChartEvent) => isNear(a, b.from) || isNear(b, a.from)
  const bands = logged.filter((one) => one.symbol === 'backup' && isBand(one))
  const known = backups.map((one): ChartEvent => {
    const band = one.run && !one.run.ofSeveral ? undefined : bands.find((each) => isSame(each, one))
    return band ? { ...band, text: backupText(band, one.run?.error) } : one
  })
  const once = new Map(known.map((one) => [one.id, one])).values()
  const others = logged.filter(
    (one) => one.symbol !== 'backup' || !known.some((backup) => isSame(backup, one)),
  )
  return [...others, ...once].toSorted((a, b) => b.from - a.from)
}
