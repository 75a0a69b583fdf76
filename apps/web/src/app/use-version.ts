import { getVersion, type VersionInfo } from '@pulse/contract'
import { useEffect, useState } from 'react'
import { log } from '../lib/log.ts'
import { useApi } from '../api/api.tsx'
import { useReconnected } from '../live/use-live.ts'

/** Of the server, asked again after each reconnect; undefined until known. A failure is only logged. */
export function useVersion(): VersionInfo | undefined {
  const api = useApi()
  const [version, setVersion] = useState<VersionInfo>()
  const [connections, setConnections] = useState(0)
  useReconnected(() => setConnections((before) => before + 1))
  useEffect(() => {
    const stop = new AbortController()
    api.call(getVersion, { signal: stop.signal }).then(setVersion, (error: unknown) => {
      if (!stop.signal.aborted) log.warn('The version could not be loaded', error)
    })
    return () => stop.abort()
  }, [api, connections])
  return version
}
