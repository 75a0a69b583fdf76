import { getHistoryChanges, type RecordKind } from '@pulse/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../../api/api.tsx'
import { useClock, useMoment } from '../../lib/moment.tsx'
import type { ChartEvent } from '../chart/series.ts'
import { changeEvents, eventSymbols } from './change-events.ts'
import { asOf, fixedSpan, type HistoryChoice, spanUntil } from './range.ts'
import { useBackups } from './use-backups.ts'

const what = Object.keys(eventSymbols).join()

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
      choice.range,
      choice.custom?.to,
      fixed && `${fixed.from} ${fixed.to}`,
      moment,
    ],
    async queryFn({ signal }) {
      const span = fixed ?? spanUntil(choice.range, clock())
      const query = { ...span, kind, id, asOf: asOf(choice, clock()), what, limit: most }
      return changeEvents((await api.call(getHistoryChanges, { query, signal })).changes)
    },
    staleTime: againMs,
    refetchInterval: fixed || moment !== undefined ? false : againMs,
    placeholderData: keepPreviousData,
    // of Pulse itself no changes are noted
    enabled: kind !== 'meta',
  })
  const backups = useBackups(kind, id)
  const events = useMemo(
    () => (backups.length > 0 ? [...data, ...backups].toSorted((a, b) => b.from - a.from) : data),
    [data, backups],
  )
  return { events, error }
}
