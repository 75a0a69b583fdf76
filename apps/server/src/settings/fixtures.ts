import type { SystemSettingsInput } from '@pulse/contract'
import type { SettingsTable } from '../db/settings.ts'
import { memorySettings, memoryStore } from '../testing/memory-settings.ts'
import { readSettingsEnvironment } from './environment.ts'
import { createSystemSettings } from './system.ts'

/** A started area with these stored settings and this environment. */
export async function anArea({
  stored,
  env = {},
  store = memoryStore(stored === undefined ? {} : { system: JSON.stringify(stored) }),
  channel = 'stable',
}: {
  stored?: SystemSettingsInput
  env?: NodeJS.ProcessEnv
  store?: SettingsTable
  /** channel of the running version */
  channel?: 'stable' | 'rc'
} = {}) {
  const edges = memorySettings(store)
  const area = createSystemSettings({
    ...edges,
    fixed: readSettingsEnvironment(env),
    port: 7655,
    version: { channel },
  })
  await area.start()
  return { area, ...edges }
}
