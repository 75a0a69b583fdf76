import type { Endpoint, ReplyOf } from '@pulse/contract'
import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useApi } from './api.tsx'

type Options<Reply> = Pick<UseQueryOptions<Reply>, 'enabled' | 'refetchInterval' | 'staleTime'>

/** The answer to a call without input. Components with the same call share it. */
export function useAnswer<E extends Endpoint>(endpoint: E, options: Options<ReplyOf<E>> = {}) {
  const api = useApi()
  return useQuery<ReplyOf<E>>({
    ...options,
    queryKey: [endpoint.path],
    queryFn: ({ signal }) => api.call<Endpoint>(endpoint, { signal } as never) as Promise<ReplyOf<E>>,
  })
}
