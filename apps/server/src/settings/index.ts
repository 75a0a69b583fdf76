import type { LogLevel, SystemSettings } from '@pulse/contract'
import { isDeepStrictEqual } from 'node:util'
import type { Area } from '../area.ts'
import type { Principal } from '../auth/principal.ts'
import type { EventPublisher } from '../events.ts'
import { createSignal, type OnSignal } from '../signal.ts'
import type { FixedSettings } from './environment.ts'
import { toOriginPolicy } from './origins.ts'
import { settingsRoutes } from './routes.ts'
import { createSystemSettings, type SystemSettingsArea, type SystemSettingsEdges } from './system.ts'
import { viewerThemes } from './viewer-themes.ts'

export interface SettingsArea extends SystemSettingsArea, Area {
  start(): Promise<void>
  exportParts: SystemSettingsArea['exportParts']
  /** Open sockets must be checked again, because their page's origin may no longer be allowed. */
  onOrigins: OnSignal
}

export interface SettingsAreaEdges extends Omit<SystemSettingsEdges, 'fixed' | 'port'> {
  config: { settings: FixedSettings; port: number }
  publish: EventPublisher['publish']
  setLogLevel: (level: LogLevel) => void
}

/** Product-wide settings of the administrator, and the themes of other users. */
export function settingsArea({ config, setLogLevel, ...edges }: SettingsAreaEdges): SettingsArea {
  const fixed = config.settings
  const settings = createSystemSettings({ ...edges, fixed, port: config.port })
  const themes = viewerThemes(edges)
  const origins = createSignal()
  const followsServer = ({ id, role }: Principal) => role === 'admin' || themes.of(id) === undefined
  const tellTheme = (theme: SystemSettings['theme'], isMeant: (principal: Principal) => boolean) =>
    edges.publish({ type: 'settingsUpdate', data: { theme } }, isMeant)

  themes.onChoice((id) =>
    tellTheme(themes.of(id) ?? settings.current().theme, (principal) => principal.id === id),
  )
  settings.onChange((now, before) => {
    if (now.theme !== before.theme) tellTheme(now.theme, followsServer)
    if (now.logLevel !== before.logLevel) setLogLevel(now.logLevel)
    if (!isDeepStrictEqual(toOriginPolicy(now), toOriginPolicy(before))) origins.emit()
  })
  return {
    ...settings,
    name: 'the settings',
    routes: settingsRoutes({ settings, themes }),
    caches: [{ ...settings, tables: ['settings'] }, themes.cache],
    onOrigins: origins.on,
    async start() {
      await settings.start()
      await themes.start()
    },
  }
}
