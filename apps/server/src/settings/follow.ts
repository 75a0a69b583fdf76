import type { LiveEvent, LogLevel } from '@pulse/contract'
import { isDeepStrictEqual } from 'node:util'
import { toOriginPolicy } from './origins.ts'
import type { SystemSettingsArea } from './system.ts'

export interface SettingsFollowers {
  /** to everybody whose theme is the server's */
  publish: (event: LiveEvent) => void
  setLogLevel: (level: LogLevel) => void
  /** open sockets are to be looked at again: their page's origin may no longer be listed */
  revalidate: () => void
}

/** What is to happen at once when a setting changes; everything else asks for the settings when it needs them. */
export function followSettings(
  settings: Pick<SystemSettingsArea, 'onChange'>,
  { publish, setLogLevel, revalidate }: SettingsFollowers,
): void {
  settings.onChange((now, before) => {
    if (now.theme !== before.theme) publish({ type: 'settingsUpdate', data: { theme: now.theme } })
    if (now.logLevel !== before.logLevel) setLogLevel(now.logLevel)
    if (!isDeepStrictEqual(toOriginPolicy(now), toOriginPolicy(before))) revalidate()
  })
}
