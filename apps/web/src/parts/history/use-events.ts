import { getHistoryChanges, type RecordKind } from '@pulse/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../../api/api.tsx'
import { useClock, useMoment } from '../../lib/moment.tsx'
import { readChanges } from '../changes/read-changes.ts'
import type { ChartEvent } from '../chart/series.ts'
import { changeEvents, eventSymbols, withBackups } from './change-events.ts'
import { asOf, fixedSpan, type HistoryChoice, refreshMs, spanUntil } from './range.ts'
import { useBackups } from './use-backups.ts'
import { linePoints } from './use-viewed.ts'

const what = Object.keys(eventSymbols).join()

const againMs = 60_000
const most = 100
const none = { events: [] as readonly ChartEvent[], isCut: false }

/** Reboots, migrations and backups of a thing in the chosen time, newest first. `isCut`: there may be older changes. */
export function useEvents(kind: RecordKind, id: string, choice: HistoryChoice) {
  const api = useApi()
  const fixed = fixedSpan(choice)
  const clock = useClock()
  const moment = useMoment()
  // A longer range has its next point later, and nothing is shown behind the last one.
  const again = Math.max(againMs, refreshMs(choice.range, linePoints.wide))
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
      const { changes, cursor } = await readChanges(api, query, signal)
      return { events: changeEvents(changes), isCut: cursor !== undefined }
    },
    staleTime: again,
    refetchInterval: fixed || moment !== undefined ? false : again,
    placeholderData: keepPreviousData,
    // of Pulse itself no changes are noted
    enabled: kind !== 'meta',
  })
  const backups = useBackups(kind, id)
  const events = useMemo(
    () => (backups.length > 0 ? withBackups(data.events, backups) : data.events),
    [data.events, backups],
  )
  return { events, isCut: data.isCut, error }
}
