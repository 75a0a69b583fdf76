import { getAlertConfig, type RecordKind } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useApi } from '../../api/api.tsx'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import { ownerOf } from './charts.ts'
import { type Triggers, triggersOf } from './triggers.ts'

const none: Triggers = {}

/** Where alerts of a thing fire, by figure. Empty until they are known. */
export function useTriggers(kind: RecordKind, id: string): Triggers {
  const api = useApi()
  const { data: config } = useQuery({
    queryKey: [getAlertConfig.path],
    queryFn: ({ signal }) => api.call(getAlertConfig, { query: { keys: 'stable' }, signal }),
  })
  const select = useCallback(
    (live: LiveReader) => (config ? triggersOf(config, live, kind, id) : none),
    [config, kind, id],
  )
  return useLive([ownerOf({ kind, id }).kind, 'nodes'], select, isEqual)
}
