import { type AlertHistoryEntry, getAlertHistory, mailAlertTypes } from '@pulse/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api.tsx'
import { useClock, useMoment } from '../../lib/moment.tsx'
import type { ChartMark } from '../chart/series.ts'
import { fixedSpan, type HistoryChoice, spanUntil } from './range.ts'

export interface HistoryAlert extends ChartMark {
  id: string
  /** its id without the time of its begin */
  alert: string
  type: string
}

const againMs = 60_000
const most = 100
const none = { alerts: [] as readonly HistoryAlert[], isCut: false }

/** Alerts of a thing that began in the chosen time, newest first. `isCut`: there are older ones. */
export function useAlerts(alertId: string | undefined, choice: HistoryChoice) {
  const api = useApi()
  const fixed = fixedSpan(choice)
  const clock = useClock()
  const moment = useMoment()
  const { data = none, error } = useQuery({
    queryKey: [getAlertHistory.path, alertId, fixed ? `${fixed.from} ${fixed.to}` : choice.range, moment],
    async queryFn({ signal }) {
      const { from, to } = fixed ?? spanUntil(choice.range, clock())
      const query = {
        resourceId: alertId!,
        startTime: new Date(from).toISOString(),
        endTime: new Date(to).toISOString(),
        // with the one that shows that there are more
        limit: String(most + 1),
      }
      const found = await api.call(getAlertHistory, { query, signal })
      return { alerts: found.slice(0, most).map(toAlert), isCut: found.length > most }
    },
    staleTime: againMs,
    refetchInterval: fixed || moment !== undefined ? false : againMs,
    placeholderData: keepPreviousData,
    enabled: alertId !== undefined,
  })
  return { ...data, error }
}

const toAlert = ({ id, type, startTime, message, peakLevel }: AlertHistoryEntry): HistoryAlert => ({
  id: `${id} ${startTime}`,
  alert: id,
  type,
  at: Date.parse(startTime),
  text: message,
  tone: peakLevel === 'critical' ? 'red' : 'yellow',
})

/** Alerts are named after their figure, but for those of a mail gateway. */
const ofFigure: Readonly<Record<string, string>> = mailAlertTypes
const typesOf = (fields: Iterable<string>): ReadonlySet<string> =>
  new Set(Array.from(fields, (field) => ofFigure[field] ?? field))

/** The alerts that concern a chart: those of its own figures, and those of no figure. */
export function alertsOfChart(
  alerts: readonly HistoryAlert[],
  own: readonly string[],
  ofAll: ReadonlySet<string>,
): readonly HistoryAlert[] {
  const [mine, all] = [typesOf(own), typesOf(ofAll)]
  return alerts.filter(({ type }) => mine.has(type) || !all.has(type))
}
