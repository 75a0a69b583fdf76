import { type UpdateInfo, type VersionInfo, getUpdateCheck } from '@pulse/contract'
import { isDescribed } from '@pulse/domain'
import { useMemo, useState, useEffect } from 'react'
import { readStored, useStored, writeStored } from '../../lib/storage.ts'
import { useApi } from '../../api/api.tsx'
import { log } from '../../lib/log.ts'

export const updatesKey = 'pulse-updates'
/** ms; so long what was found is not asked for again */
export const checkLifetimeMs = 24 * 3_600_000

/** What this browser keeps of update checks. */
export interface StoredUpdates {
  /** the version of which nobody wants to hear any more */
  dismissedVersion?: string
  /** epoch ms */
  lastCheck?: number
  info?: UpdateInfo
}

/** Other builds are not replaced by releases; they are checked only when somebody asks for it. */
export const isChecked = ({ isDocker, isDevelopment, isSourceBuild, version }: VersionInfo): boolean =>
  !isDocker && !isDevelopment && !isSourceBuild && !isDescribed(version)

/** The last answer while it counts: for a day, and for the version that was running then. */
export function cachedInfo(
  { lastCheck, info }: StoredUpdates,
  version: Pick<VersionInfo, 'version'>,
  now: number,
): UpdateInfo | undefined {
  if (lastCheck === undefined || info?.currentVersion !== version.version) return undefined
  return now - lastCheck < checkLifetimeMs ? info : undefined
}

/** Nobody needs to be asked. A server that knows of another version by now knows more. */
export function isFresh(stored: StoredUpdates, version: VersionInfo, now: number): boolean {
  const info = cachedInfo(stored, version, now)
  const { updateAvailable, latestVersion } = version
  // a clock that was put back must not silence it for longer
  if (!info || stored.lastCheck! > now) return false
  return !(updateAvailable && latestVersion !== info.latestVersion)
}

export const readUpdates = (): StoredUpdates => parse(readStored(updatesKey))

const change = (fields: StoredUpdates) =>
  writeStored(updatesKey, JSON.stringify({ ...readUpdates(), ...fields }))

export const storeCheck = (info: UpdateInfo, now: number) => change({ info, lastCheck: now })
export const dismissVersion = (version: string) => change({ dismissedVersion: version })

/** What was found was found for another channel. */
export function forgetCheck(): void {
  const { dismissedVersion } = readUpdates()
  writeStored(updatesKey, dismissedVersion === undefined ? null : JSON.stringify({ dismissedVersion }))
}

export interface KnownUpdate {
  /** the update that is available */
  info: UpdateInfo | undefined
  isDismissed: boolean
}

/** Follows what this and other tabs find out. */
export function useKnownUpdate(version: VersionInfo | undefined): KnownUpdate {
  const text = useStored(updatesKey)
  // a page that stays open goes on saying what it found
  const [now] = useState(Date.now)
  return useMemo(() => {
    const stored = parse(text)
    const info = version && cachedInfo(stored, version, now)
    return {
      info: info?.available ? info : undefined,
      isDismissed: info !== undefined && stored.dismissedVersion === info.latestVersion,
    }
  }, [text, version, now])
}

/** Anything else under that key, a note of an older program too, is nothing. */
function parse(text: string | null): StoredUpdates {
  try {
    const found = JSON.parse(text ?? '{}') as Record<string, unknown> | null
    if (typeof found !== 'object' || found === null) return {}
    const { dismissedVersion, lastCheck, info } = found
    return {
      ...(typeof dismissedVersion === 'string' && { dismissedVersion }),
      ...(typeof lastCheck === 'number' && { lastCheck }),
      ...(isInfo(info) && { info }),
    }
  } catch {
    return {}
  }
}

function isInfo(value: unknown): value is UpdateInfo {
  const { available, currentVersion, latestVersion } = (value ?? {}) as Partial<Record<string, unknown>>
  return (
    typeof available === 'boolean' && typeof currentVersion === 'string' && typeof latestVersion === 'string'
  )
}

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
