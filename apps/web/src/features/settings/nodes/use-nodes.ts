import { getNodes, type NodeConfig } from '@pulse/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useApi } from '../../../api/api.tsx'
import { ApiError } from '../../../api/request.ts'
import { useLiveEvent, useReconnected } from '../../../live/use-live.ts'

/** Milliseconds between reloads of the list. */
const nodeRefresh = { alwaysMs: 30_000, dialogMs: 3_000, retryMs: 3_000 } as const

export function useNodes(dialogOpen: boolean) {
  const api = useApi()
  const { reload } = useNodeCache()
  const nodes = useQuery({
    queryKey: [getNodes.path],
    queryFn: ({ signal }) => api.call(getNodes, { signal, retryLimited: false }),
    refetchInterval: ({ state: { error } }) => {
      if (isPassing(error)) return nodeRefresh.retryMs
      return dialogOpen ? nodeRefresh.dialogMs : nodeRefresh.alwaysMs
    },
  })
  useLiveEvent('node_auto_registered', reload)
  useLiveEvent('nodes_changed', reload)
  useLiveEvent('node_deleted', reload)
  useReconnected(reload)
  return nodes
}

/** Rate-limited or unanswered: worth a retry. */
const isPassing = (error: Error | null) =>
  error !== null && (!(error instanceof ApiError) || error.status === 429)

/** Updates the cached list after a change. */
export function useNodeCache() {
  const queries = useQueryClient()
  const reload = useCallback(() => void queries.invalidateQueries({ queryKey: [getNodes.path] }), [queries])
  const change = useCallback(
    (update: (nodes: NodeConfig[]) => NodeConfig[]) =>
      queries.setQueryData<NodeConfig[]>([getNodes.path], (nodes) => nodes && update(nodes)),
    [queries],
  )
  return { reload, change }
}
