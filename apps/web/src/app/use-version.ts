import { getVersion, type VersionInfo } from '@pulse/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import { log } from '../lib/log.ts'
import { useApi } from '../api/api.tsx'
import { useReconnected } from '../live/use-live.ts'

/** Of the server, asked again after each reconnect; undefined until known. A failure is only logged. */
export function useVersion(): VersionInfo | undefined {
  const api = useApi()
  const [version, setVersion] = useState<VersionInfo>()
  const asked = useRef<AbortController>(undefined)
  const ask = useCallback(() => {
    asked.current?.abort()
    const stop = (asked.current = new AbortController())
    api.call(getVersion, { signal: stop.signal }).then(setVersion, (error: unknown) => {
      if (!stop.signal.aborted) log.warn('The version could not be loaded', error)
    })
  }, [api])
  useEffect(() => {
    ask()
    return () => asked.current?.abort()
  }, [ask])
  useReconnected(ask)
  return version
}
