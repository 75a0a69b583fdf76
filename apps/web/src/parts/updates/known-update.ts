import { type UpdateInfo, type VersionInfo, getUpdateCheck } from '@pulse/contract'
import { isDescribed } from '@pulse/domain'
import { useMemo, useState, useEffect } from 'react'
import { readStored, useStored, writeStored } from '../../lib/storage.ts'
import { useApi } from '../../api/api.tsx'
import { load } from '../../api/load.ts'

export const updatesKey = 'pulse-updates'
/** Lifetime of a stored check, in ms. */
export const checkLifetimeMs = 24 * 3_600_000

/** The update checks stored in this browser. */
export interface StoredUpdates {
  /** the version that the user dismissed */
  dismissedVersion?: string
  /** epoch ms */
  lastCheck?: number
  info?: UpdateInfo
}

/** Releases do not replace other builds, so those are checked on request only. */
export const isChecked = ({ isDocker, isDevelopment, isSourceBuild, version }: VersionInfo): boolean =>
  !isDocker && !isDevelopment && !isSourceBuild && !isDescribed(version)

/** The cached answer, valid for a day and for the version that ran at that time. */
export function cachedInfo(
  { lastCheck, info }: StoredUpdates,
  version: Pick<VersionInfo, 'version'>,
  now: number,
): UpdateInfo | undefined {
  if (lastCheck === undefined || info?.currentVersion !== version.version) return undefined
  return now - lastCheck < checkLifetimeMs ? info : undefined
}

/** The stored check is recent, and was made for this version. */
export function isFresh(stored: StoredUpdates, version: VersionInfo, now: number): boolean {
  const info = cachedInfo(stored, version, now)
  const { updateAvailable, latestVersion } = version
  // a clock that was set back must not extend the lifetime
  if (!info || stored.lastCheck! > now) return false
  return !(updateAvailable && latestVersion !== info.latestVersion)
}

export const readUpdates = (): StoredUpdates => parse(readStored(updatesKey))

const change = (fields: StoredUpdates) =>
  writeStored(updatesKey, JSON.stringify({ ...readUpdates(), ...fields }))

export const storeCheck = (info: UpdateInfo, now: number) => change({ info, lastCheck: now })
export const dismissVersion = (version: string) => change({ dismissedVersion: version })

/** Clears the check, because it was made for another channel. */
export function clearCheck(): void {
  const { dismissedVersion } = readUpdates()
  writeStored(updatesKey, dismissedVersion === undefined ? null : JSON.stringify({ dismissedVersion }))
}

export interface KnownUpdate {
  /** the available update */
  info: UpdateInfo | undefined
  isDismissed: boolean
}

/** Subscribes to checks of this tab and others. */
export function useKnownUpdate(version: VersionInfo | undefined): KnownUpdate {
  const text = useStored(updatesKey)
  // a page that stays open keeps showing its result
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

/** Ignores other values under that key, including those of older versions. */
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

/** Checks for updates at most once a day, after the version is known. A failure is only logged. */
export function useUpdateCheck(version: VersionInfo | undefined): void {
  const api = useApi()
  useEffect(() => {
    if (!version || !isChecked(version) || isFresh(readUpdates(), version, Date.now())) return
    return load(
      (signal) => api.call(getUpdateCheck, { signal }),
      (info) => storeCheck(info, Date.now()),
      'Update check failed',
    )
  }, [api, version])
}
