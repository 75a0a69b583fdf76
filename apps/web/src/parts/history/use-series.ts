import { getHistorySeries, type RecordKind, type ReplyOf } from '@pulse/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api.tsx'
import { useClock, useMoment } from '../../lib/moment.tsx'
import { fixedSpan, type HistoryChoice, refreshMs, spanUntil } from './range.ts'

export type HistoryAnswer = ReplyOf<typeof getHistorySeries>

interface Wanted {
  kind: RecordKind
  id: string
  fields: readonly string[]
  choice: HistoryChoice
  /** points per line */
  points: number
}

/** All figures of a thing with one call, again whenever the range has another point. */
export function useSeries({ kind, id, fields, choice, points }: Wanted) {
  const api = useApi()
  const fixed = fixedSpan(choice)
  const clock = useClock()
  const moment = useMoment()
  const again = refreshMs(choice.range, points)
  return useQuery({
    queryKey: [
      getHistorySeries.path,
      kind,
      id,
      fixed ? `${fixed.from} ${fixed.to}` : choice.range,
      points,
      moment,
    ],
    queryFn: ({ signal }): Promise<HistoryAnswer> => {
      const { from, to } = fixed ?? spanUntil(choice.range, clock())
      const query = { kind, ids: id, fields: fields.join(','), from, to, points }
      return api.call(getHistorySeries, { query, signal })
    },
    staleTime: again,
    refetchInterval: fixed || moment !== undefined ? false : again,
    // the former charts stay until the next ones are there
    placeholderData: keepPreviousData,
    // nearly every point is new
    structuralSharing: false,
  })
}
