import {
  type AlertMetric,
  getAlertConfig,
  metricsOfKind,
  type MeasuredKind,
  type RecordKind,
} from '@pulse/contract'
import { createPolicies, isEqual } from '@pulse/domain'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useApi } from '../../api/api.tsx'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'

type Triggers = Readonly<Record<string, number>>

const none: Triggers = {}
const isMeasured = (kind: RecordKind): kind is MeasuredKind => Object.hasOwn(metricsOfKind, kind)

/** Where alerts of a thing fire, by figure, in the units of the thresholds. Empty until they are known. */
export function useTriggers(kind: RecordKind, id: string): Triggers {
  const api = useApi()
  const { data: config } = useQuery({
    queryKey: [getAlertConfig.path],
    queryFn: ({ signal }) => api.call(getAlertConfig, { query: { keys: 'stable' }, signal }),
  })
  const select = useCallback(
    (live: LiveReader): Triggers => {
      const record = live.get(kind, id)
      if (!config || !record || !isMeasured(kind)) return none
      const policy = createPolicies(config, (key) => live.get('nodes', key) !== undefined).of(
        kind,
        id,
        record,
      )
      if (policy.off !== undefined) return none
      return Object.fromEntries(
        (metricsOfKind[kind] as readonly AlertMetric[]).flatMap((metric) => {
          const trigger = policy.thresholds[metric]?.trigger ?? 0
          return trigger > 0 ? [[metric, trigger]] : []
        }),
      )
    },
    [config, kind, id],
  )
  return useLive([kind, 'nodes'], select, isEqual)
}
