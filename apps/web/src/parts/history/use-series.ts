import { getHistorySeries, type RecordKind, type ReplyOf } from '@pulse/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api.tsx'
import { useClock, useMoment } from '../../lib/moment.tsx'
import { asOf, fixedSpan, type HistoryChoice, refreshMs, spanUntil } from './range.ts'

export type HistoryAnswer = ReplyOf<typeof getHistorySeries>

/** The charts of a moment are hundreds of kB, and someone who looks for one passes many. */
const keptOfThenMs = 30_000

interface Wanted {
  kind: RecordKind
  ids: readonly string[]
  fields: readonly string[]
  choice: HistoryChoice
  /** points per line */
  points: number
  /** the same time, that much earlier */
  earlierMs?: number
  enabled?: boolean
}

/** All figures of some things with one call, again whenever the range has another point. */
export function useSeries({ kind, ids, fields, choice, points, earlierMs = 0, enabled = true }: Wanted) {
  const api = useApi()
  const fixed = fixedSpan(choice)
  const clock = useClock()
  const moment = useMoment()
  const again = refreshMs(choice.range, points)
  return useQuery({
    queryKey: [
      getHistorySeries.path,
      kind,
      ids.join(),
      choice.range,
      choice.custom?.to,
      fixed && `${fixed.from} ${fixed.to}`,
      points,
      earlierMs,
      moment,
    ],
    enabled,
    queryFn: ({ signal }): Promise<HistoryAnswer> => {
      const { from, to } = fixed ?? spanUntil(choice.range, clock())
      const times = { from: Math.max(0, from - earlierMs), to: Math.max(0, to - earlierMs) }
      const thing = { kind, ids: ids.join(), asOf: asOf(choice, clock()) }
      const query = { ...thing, fields: fields.join(','), ...times, points }
      return api.call(getHistorySeries, { query, signal })
    },
    staleTime: again,
    ...(moment !== undefined && { gcTime: keptOfThenMs }),
    refetchInterval: fixed || moment !== undefined ? false : again,
    // the former charts stay until the next ones are there
    placeholderData: keepPreviousData,
    // nearly every point is new
    structuralSharing: false,
  })
}
