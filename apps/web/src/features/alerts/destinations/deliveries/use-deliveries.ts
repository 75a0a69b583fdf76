import { type DeliveryLog, type DeliveryState, getDeliveries } from '@pulse/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useApi } from '../../../../api/api.tsx'
import { useReconnected } from '../../../../live/use-live.ts'

export interface DeliveryFilter {
  state: DeliveryState | 'all'
  /** id of a way out */
  channel: string
  limit: number
}

const busyMs = 3_000
const calmMs = 20_000

/** While something is on its way it is looked at more often. */
const pauseMs = (log: DeliveryLog | undefined) => (log && log.queue.waiting > 0 ? busyMs : calmMs)

/** What became of the messages, and how it goes with each way out. */
export function useDeliveries({ state, channel, limit }: DeliveryFilter) {
  const api = useApi()
  const query = useQuery({
    queryKey: [getDeliveries.path, state, channel, limit],
    queryFn: ({ signal }) =>
      api.call(getDeliveries, {
        signal,
        query: {
          limit: String(limit),
          ...(state !== 'all' && { state }),
          ...(channel !== 'all' && { channel }),
        },
      }),
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) => pauseMs(data),
    placeholderData: keepPreviousData,
  })
  useReconnected(() => void query.refetch())
  return query
}
