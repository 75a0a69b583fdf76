import { getUpdateCheck, type VersionInfo } from '@pulse/contract'
import { useEffect } from 'react'
import { useApi } from '../../api/api.tsx'
import { log } from '../../lib/log.ts'
import { isChecked, isFresh, readUpdates, storeCheck } from './known-update.ts'

/** Once the version is known; what was found within a day counts. A failure is only logged. */
export function useUpdateCheck(version: VersionInfo | undefined): void {
  const api = useApi()
  useEffect(() => {
    if (!version || !isChecked(version) || isFresh(readUpdates(), version, Date.now())) return
    const gone = new AbortController()
    api.call(getUpdateCheck, { signal: gone.signal }).then(
      (info) => storeCheck(info, Date.now()),
      (error: unknown) => {
        if (!gone.signal.aborted) log.warn('Looking for updates failed', error)
      },
    )
    return () => gone.abort()
  }, [api, version])
}
