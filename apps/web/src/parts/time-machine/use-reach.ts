import {
  type AlertHistoryEntry,
  getAlertHistory,
  getHistoryChanges,
  getHistorySeries,
  type HistoryGap,
  META_ID,
} from '@pulse/contract'
import { useQuery } from '@tanstack/react-query'
import type { Api } from '../../api/client.ts'
import { useApi } from '../../api/api.tsx'
import type { Span } from '../../lib/times.ts'
import { reachMs } from './steps.ts'

export interface Reach {
  /** undefined: nothing is stored yet */
  span: Span | undefined
}

const queryKey = [getHistoryChanges.path, 'reach']
const againMs = 60_000
/** What is too old is removed by the day. */
const linksAgainMs = 60 * 60_000
/** Until the first state is stored. */
const soonMs = 5_000
const marksAgainMs = 5 * 60_000
/** Of the bar: finer than a pixel on a phone. */
const points = 400
/** The newest ones. More would take megabytes. */
const mostAlerts = 2_000

/** How far back the history goes, again every minute. */
export function useReach() {
  const api = useApi()
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => readReach(api, signal),
    refetchInterval: ({ state }) => (state.data && !state.data.span ? soonMs : againMs),
  })
}

/** Where the history begins, for the links of a list; undefined while that is unknown. */
export function useReachStart(): number | undefined {
  const api = useApi()
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => readReach(api, signal),
    staleTime: ({ state }) => (state.data?.span ? linksAgainMs : againMs),
    // every row that is scrolled into view would try again
    retryOnMount: false,
  })
  return data && (data.span?.from ?? Infinity)
}

async function readReach(api: Api, signal: AbortSignal): Promise<Reach> {
  const to = Date.now()
  // of one record, which has next to no changes: the answer is small
  const query = { from: to - 1, to, kind: 'meta', id: META_ID, limit: 1 }
  const { oldest } = await api.call(getHistoryChanges, { query, signal })
  const isThere = oldest !== undefined && oldest < to
  return { span: isThere ? { from: Math.max(oldest, to - reachMs), to } : undefined }
}

export interface BarMarks {
  alerts: readonly AlertHistoryEntry[]
  /** epoch ms: alerts of before are not loaded; undefined: all are */
  alertsFrom?: number
  /** times in which Pulse did not run */
  off: readonly HistoryGap[]
}

/** What the bar shows of this time: alerts, and when Pulse was off. */
export function useMarks({ from, to }: Span) {
  const api = useApi()
  return useQuery({
    // of any span: a bar that began a minute later shows the same
    queryKey: [getAlertHistory.path, 'time machine'],
    staleTime: marksAgainMs,
    refetchInterval: marksAgainMs,
    async queryFn({ signal }): Promise<BarMarks> {
      const [startTime, endTime] = [from, to].map((at) => new Date(at).toISOString())
      // Pulse samples itself for as long as it runs
      const ran = { kind: 'meta', ids: META_ID, fields: 'liveClients', from, to, points }
      // with the one that shows that there are more
      const limit = String(mostAlerts + 1)
      const [found, { series }] = await Promise.all([
        api.call(getAlertHistory, { query: { startTime, endTime, limit }, signal }),
        api.call(getHistorySeries, { query: ran, signal }),
      ])
      const alerts = found.slice(0, mostAlerts)
      return {
        alerts,
        ...(found.length > mostAlerts && { alertsFrom: Date.parse(alerts.at(-1)!.startTime) }),
        off: series.flatMap(({ gaps }) => gaps.filter(({ reason }) => reason === 'off')),
      }
    },
  })
}
