import { type ChangeWord, getHistoryChanges, type RecordKind } from '@pulse/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../../api/api.tsx'
import { useClock, useMoment } from '../../lib/moment.tsx'
import { readChanges } from '../changes/read-changes.ts'
import type { ChartEvent } from '../chart/series.ts'
import { changeEvents, eventSymbols, withBackups } from './change-events.ts'
import { asOf, fixedSpan, type HistoryChoice, refreshMs, spanUntil } from './range.ts'
import { useBackups } from './use-backups.ts'
import type { NotLoaded } from './more-line.tsx'
import { linePoints } from './use-viewed.ts'

const words = Object.keys(eventSymbols) as ChangeWord[]
const isOfBackup = (word: ChangeWord) => eventSymbols[word] === 'backup'
const otherWords = words.filter((word) => !isOfBackup(word)).join()
/** Asked for apart, because a guest has a hundred of them in some weeks. */
const backupWords = words.filter(isOfBackup).join()

const againMs = 60_000
const most = 100
const none = { events: [] as readonly ChartEvent[], notLoaded: undefined as NotLoaded }

/**
 * Reboots, migrations and backups of a thing in the chosen time, newest first. `notLoaded`: those of which there may be
 * older ones.
 */
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
      choice.range,
      choice.custom?.to,
      fixed && `${fixed.from} ${fixed.to}`,
      moment,
    ],
    async queryFn({ signal }) {
      const span = fixed ?? spanUntil(choice.range, clock())
      const query = { ...span, kind, id, asOf: asOf(choice, clock()), limit: most }
      const read = (what: string) => readChanges(api, { ...query, what }, signal)
      const [others, ofBackups] = await Promise.all([
        read(otherWords),
        kind === 'guests' ? read(backupWords) : undefined,
      ])
      const events = changeEvents([...others.changes, ...(ofBackups?.changes ?? [])])
      return { events, notLoaded: notLoaded(others.cursor, ofBackups?.cursor) }
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
  return { events, notLoaded: data.notLoaded, error }
}

const notLoaded = (olderOthers: string | undefined, olderBackups: string | undefined): NotLoaded => {
  if (olderOthers !== undefined) return 'changes'
  return olderBackups === undefined ? undefined : 'backups'
}
