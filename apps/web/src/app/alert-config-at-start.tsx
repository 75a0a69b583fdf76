import { getAlertConfig } from '@pulse/contract'
import { useEffect, useRef } from 'react'
import { useApi } from '../api/api.tsx'
import { useQueryHolder } from '../api/query-root.tsx'
import { log } from '../lib/log.ts'
import { useLiveEvent, useReconnected } from '../live/use-live.ts'

/** Asked once, for the pages of the alerts; what is said is forgotten when it may not be true any more. */
export default function AlertConfigAtStart() {
  const api = useApi()
  const holder = useQueryHolder()
  const changes = useRef(0)
  useEffect(() => {
    const before = changes.current
    api.call(getAlertConfig).then(
      // an answer that is overtaken by a change is not true any more
      (config) => before === changes.current && holder.give(getAlertConfig.path, config),
      (error: unknown) => log.warn('The alert configuration could not be loaded', error),
    )
  }, [api, holder])
  const forget = () => {
    changes.current += 1
    holder.forget(getAlertConfig.path)
  }
  useLiveEvent('alertConfigChanged', forget)
  useReconnected(forget)
  return null
}
