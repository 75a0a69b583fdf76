import { getAlertConfig } from '@pulse/contract'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../api/api.tsx'
import { useQueryHolder } from '../api/query-root.tsx'
import { log } from '../lib/log.ts'
import { useConnection, useLiveEvent, useReconnected } from '../live/use-live.ts'
import { usePath } from '../ui/router/use-router.ts'

/** Behind the first snapshot, so that it keeps no row waiting; who begins at the alerts loads it there. */
export function useAlertConfig(): void {
  const api = useApi()
  const holder = useQueryHolder()
  const path = usePath()
  const [beginsThere] = useState(() => path.startsWith('/alerts'))
  const isDue = useConnection(({ initialDataReceived }) => initialDataReceived) && !beginsThere
  const loadedFor = useRef<typeof holder>(undefined)
  const changes = useRef(0)
  useEffect(() => {
    if (!isDue || loadedFor.current === holder) return
    loadedFor.current = holder
    const before = changes.current
    api.call(getAlertConfig).then(
      // an answer that is overtaken by a change is not true any more
      (config) => before === changes.current && holder.give(getAlertConfig.path, config),
      (error: unknown) => log.warn('The alert configuration could not be loaded', error),
    )
  }, [api, holder, isDue])
  const forget = () => {
    changes.current += 1
    holder.forget(getAlertConfig.path)
  }
  useLiveEvent('alertConfigChanged', forget)
  useReconnected(forget)
}
