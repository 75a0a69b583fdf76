import { type ChangeWord, getHistoryChanges, type HistoryChange, type RecordKind } from '@pulse/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../../api/api.tsx'
import { useClock, useMoment } from '../../lib/moment.tsx'
import { changeText } from '../changes/change-text.ts'
import type { ChartEvent, EventSymbol } from '../chart/series.ts'
import { fixedSpan, type HistoryChoice, spanUntil } from './range.ts'
import { useBackups } from './use-backups.ts'

const symbols: Partial<Record<ChangeWord, EventSymbol>> = {
  started: 'power',
  stopped: 'power',
  restarted: 'power',
  moved: 'move',
}
const what = Object.keys(symbols).join()

const againMs = 60_000
const most = 100
const none: readonly ChartEvent[] = []

/** Reboots, migrations and backups of a thing in the chosen time, newest first. */
export function useEvents(kind: RecordKind, id: string, choice: HistoryChoice) {
  const api = useApi()
  const fixed = fixedSpan(choice)
  const clock = useClock()
  const moment = useMoment()
  const { data = none, error } = useQuery({
    queryKey: [
      getHistoryChanges.path,
      kind,
      id,
      what,
      fixed ? `${fixed.from} ${fixed.to}` : choice.range,
      moment,
    ],
    async queryFn({ signal }) {
      const span = fixed ?? spanUntil(choice.range, clock())
      const query = { ...span, kind, id, what, limit: most }
      return (await api.call(getHistoryChanges, { query, signal })).changes.map(toEvent)
    },
    staleTime: againMs,
    refetchInterval: fixed || moment !== undefined ? false : againMs,
    placeholderData: keepPreviousData,
  })
  const backups = useBackups(kind, id)
  const events = useMemo(
    () => (backups.length > 0 ? [...data, ...backups].toSorted((a, b) => b.from - a.from) : data),
    [data, backups],
  )
  return { events, error }
}

const toEvent = (change: HistoryChange, index: number): ChartEvent => ({
  id: `${change.at} ${change.what} ${index}`,
  from: change.at,
  to: change.at,
  text: changeText(change),
  symbol: symbols[change.what] ?? 'power',
})
