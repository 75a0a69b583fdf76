import { type DeliveryLog, type DeliveryState, getDeliveries } from '@pulse/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useApi } from '../../../../api/api.tsx'
import { useReconnected } from '../../../../live/use-live.ts'

export interface DeliveryFilter {
  state: DeliveryState | 'all'
  /** channel id */
  channel: string
  limit: number
}

const busyMs = 3_000
const calmMs = 20_000

/** Polls faster while messages are queued. */
const pauseMs = (log: DeliveryLog | undefined) => (log && log.queue.waiting > 0 ? busyMs : calmMs)

/** The delivery log, with each channel's state. */
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
