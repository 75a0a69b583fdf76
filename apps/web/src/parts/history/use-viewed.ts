import type { RecordKind } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { useCallback, useMemo } from 'react'
import { useLive } from '../../live/use-live.ts'
import { usePhone } from '../screen/use-media.ts'
import type { KindHistory } from './charts.ts'
import { type Compared, compared } from './compare.ts'
import { distinctNames } from './guest-choices.ts'
import { type Viewed, withLastWeek } from './last-week.ts'
import { canShowWeek, type HistoryChoice, weekMs } from './range.ts'
import { type HistoryAnswer, useSeries } from './use-series.ts'

interface Wanted {
  kind: RecordKind
  id: string
  history: KindHistory
  choice: HistoryChoice
}

const none: readonly string[] = []
const noGuests: readonly Compared[] = []
/** More than this is narrower than a pixel. */
export const linePoints = { phone: 200, wide: 400 } as const

/** The chosen charts and figures of a thing. */
export function useViewed({ kind, id, history, choice }: Wanted) {
  const { others = none } = choice
  const ids = useMemo(() => [id, ...others], [id, others])
  const guests = useLive(
    ['guests'],
    useCallback((live) => (ids.length > 1 ? distinctNames(live, ids) : noGuests), [ids]),
    isEqual,
  )
  const fields = useMemo(
    () => history.charts.flatMap(({ lines }) => lines.map(({ field }) => field)),
    [history],
  )
  const phone = usePhone()
  const wanted = { kind, ids, fields, choice, points: phone ? linePoints.phone : linePoints.wide }
  const own = useSeries(wanted)
  const showsWeek = choice.lastWeek === true && canShowWeek(choice)
  const week = useSeries({ ...wanted, earlierMs: weekMs, enabled: showsWeek })

  const data: HistoryAnswer | undefined = own.data
  const before = showsWeek ? week.data : undefined
  const viewed = useMemo((): Viewed | undefined => {
    if (!data) return undefined
    const plain = { history, data }
    if (guests.length > 0) return compared(plain, guests)
    return before ? withLastWeek(plain, before) : plain
  }, [history, data, before, guests])
  return {
    guests,
    viewed,
    data,
    before,
    isPlaceholderData: own.isPlaceholderData,
    error: own.error,
    refetch: own.refetch,
    weekError: showsWeek ? week.error : null,
  }
}
