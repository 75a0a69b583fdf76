import { getUpdatePlan, type UpdateInfo, type UpdatePlan } from '@pulse/contract'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/api.tsx'
import { log } from '../../lib/log.ts'

/** How that version gets here; undefined until known. A failure is only logged: without a plan nothing is offered. */
export function usePlan(info: UpdateInfo | undefined): UpdatePlan | undefined {
  const api = useApi()
  const [known, setKnown] = useState<{ of: string; plan: UpdatePlan }>()
  const version = info?.latestVersion
  const channel = info?.channel
  useEffect(() => {
    if (version === undefined || channel === undefined) return
    const gone = new AbortController()
    api.call(getUpdatePlan, { query: { version, channel }, signal: gone.signal }).then(
      (plan) => setKnown({ of: version, plan }),
      (error: unknown) => {
        if (!gone.signal.aborted) log.warn('The plan of the update could not be loaded', error)
      },
    )
    return () => gone.abort()
  }, [api, version, channel])
  return known?.of === version ? known?.plan : undefined
}
