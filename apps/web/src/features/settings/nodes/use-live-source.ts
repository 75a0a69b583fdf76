import type { NodeConfig, SourceState } from '@pulse/contract'
import { useCallback } from 'react'
import { useLive } from '../../../live/use-live.ts'
import type { LiveReader } from '../../../live/store.ts'
import { isOnline } from '../../../parts/nodes/status.ts'

/** What the server knows right now about a connection. */
export function useLiveSource(id: string): SourceState | undefined {
  const select = useCallback((live: LiveReader) => live.get('sources', id), [id])
  return useLive(['sources'], select, isSame)
}

/** `lastSeen` moves with every answer and is not shown; whether there was one is. */
const isSame = (a: SourceState | undefined, b: SourceState | undefined) =>
  a?.health === b?.health &&
  a?.error === b?.error &&
  a?.untrusted === b?.untrusted &&
  (a?.lastSeen === undefined) === (b?.lastSeen === undefined)

/** The members of a cluster that are on now: the live state where it knows them, else what was saved. */
export function useOnlineEndpoints({ id, clusterEndpoints }: NodeConfig): readonly boolean[] {
  const select = useCallback(
    (live: LiveReader) => {
      const known = new Map<string, boolean>()
      for (const node of live.records('nodes').values()) {
        if (node.source === id) known.set(node.node, isOnline(node))
      }
      return (clusterEndpoints ?? []).map(({ NodeName, Online }) => known.get(NodeName) ?? Online)
    },
    [id, clusterEndpoints],
  )
  return useLive(['nodes'], select, isSameList)
}

const isSameList = (a: readonly boolean[], b: readonly boolean[]) => a.join() === b.join()
