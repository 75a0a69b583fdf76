import type { RecordKind } from '@pulse/contract'
import { useMemo } from 'react'
import { usePhone } from '../screen/use-media.ts'
import type { KindHistory } from './charts.ts'
import { type Viewed, withLastWeek } from './last-week.ts'
import { canShowWeek, type HistoryChoice, weekMs } from './range.ts'
import { type HistoryAnswer, useSeries } from './use-series.ts'

interface Wanted {
  kind: RecordKind
  id: string
  history: KindHistory
  choice: HistoryChoice
}

/** More than this is narrower than a pixel. */
const points = { phone: 200, wide: 400 } as const

/** The chosen charts and figures of a thing. */
export function useViewed({ kind, id, history, choice }: Wanted) {
  const ids = useMemo(() => [id], [id])
  const fields = useMemo(
    () => history.charts.flatMap(({ lines }) => lines.map(({ field }) => field)),
    [history],
  )
  const phone = usePhone()
  const wanted = { kind, ids, fields, choice, points: phone ? points.phone : points.wide }
  const own = useSeries(wanted)
  const showsWeek = choice.lastWeek === true && canShowWeek(choice)
  const week = useSeries({ ...wanted, earlierMs: weekMs, enabled: showsWeek })

  const data: HistoryAnswer | undefined = own.data
  const before = showsWeek ? week.data : undefined
  const viewed = useMemo((): Viewed | undefined => {
    if (!data) return undefined
    const plain = { history, data }
    return before ? withLastWeek(plain, before) : plain
  }, [history, data, before])
  return {
    viewed,
    data,
    before,
    isPlaceholderData: own.isPlaceholderData,
    error: own.error,
    refetch: own.refetch,
    weekError: showsWeek ? week.error : null,
  }
}
