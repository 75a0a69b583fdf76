import { type AlertHistoryEntry, getAlertHistory } from '@pulse/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useApi } from '../../../api/api.tsx'
import { log } from '../../../lib/log.ts'
import { historyQuery, type Period } from './period.ts'
import { useRenewed } from './use-renewed.ts'

const renewMs = 60_000

interface LoadedHistory {
  entries: readonly AlertHistoryEntry[]
  /** epoch ms */
  loadedAt: number
}

/** Of each period the answer to its own question: a late one to another counts for nothing. */
export function useHistory(period: Period) {
  const api = useApi()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [getAlertHistory.path, period],
    async queryFn({ signal }): Promise<LoadedHistory> {
      const loadedAt = Date.now()
      const { limit, startTime } = historyQuery(period, loadedAt)
      const query = { limit: String(limit), ...(startTime && { startTime }) }
      return { entries: await api.call(getAlertHistory, { query, signal }), loadedAt }
    },
    refetchInterval: renewMs,
  })
  useRenewed(() => void refetch())
  useEffect(() => {
    if (error) log.warn('The alert history could not be loaded', error)
  }, [error])
  return { data, error, isLoading: isPending, reload: () => void refetch() }
}
