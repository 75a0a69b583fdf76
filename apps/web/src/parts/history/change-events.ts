import type { ChangeWord, HistoryChange } from '@pulse/contract'
import { formatUptime } from '../../lib/format.ts'
import { changeText } from '../changes/change-text.ts'
import type { ChartEvent, EventSymbol } from '../chart/series.ts'

export const eventSymbols: Partial<Record<ChangeWord, EventSymbol>> = {
  started: 'power',
  stopped: 'power',
  restarted: 'power',
  moved: 'move',
}

/** What happened to a thing, newest first as the changes are. A stop lasts until the next start. */
export function changeEvents(changes: readonly HistoryChange[]): ChartEvent[] {
  const events: ChartEvent[] = []
  /** the oldest change of power so far, if it is a start */
  let start: { at: number; index: number } | undefined
  for (const change of changes) {
    const isStart = change.what === 'started'
    if (change.what === 'stopped' && start) {
      events.splice(start.index, 1)
      events.push(bandOf(change, start.at))
    } else events.push(markOf(change))
    if (isStart) start = { at: change.at, index: events.length - 1 }
    else if (change.what !== 'moved') start = undefined
  }
  return events
}

const markOf = (change: HistoryChange): ChartEvent => ({
  id: `${change.at} ${change.what}`,
  from: change.at,
  to: change.at,
  text: changeText(change),
  symbol: eventSymbols[change.what] ?? 'power',
})

const bandOf = (stop: HistoryChange, to: number): ChartEvent => ({
  ...markOf(stop),
  to,
  text: `${changeText(stop)} for ${formatUptime((to - stop.at) / 1_000)}`,
})
