import type { SystemSettingsInput } from '@pulse/contract'
import { pino } from 'pino'
import { createSystemSettings, type SystemSettingsEdges } from './system.ts'
import { readSettingsEnvironment } from './environment.ts'

type Store = SystemSettingsEdges['store']

export function memoryStore(texts: Record<string, string> = {}): Store & { texts: Map<string, string> } {
  const all = new Map(Object.entries(texts))
  return {
    texts: all,
    read: (key) => Promise.resolve(all.get(key)),
    write: (key, text) => Promise.resolve(void all.set(key, text)),
  }
}

/** A started area with these settings stored and this environment. */
export async function anArea({
  stored,
  env = {},
  store = memoryStore(stored === undefined ? {} : { system: JSON.stringify(stored) }),
  channel = 'stable',
}: {
  stored?: SystemSettingsInput
  env?: NodeJS.ProcessEnv
  store?: Store
  /** of the version that runs */
  channel?: 'stable' | 'rc'
} = {}) {
  const lines: string[] = []
  let writes = 0
  const area = createSystemSettings({
    store,
    fixed: readSettingsEnvironment(env),
    port: 7655,
    version: { channel },
    log: pino({}, { write: (line: string) => void lines.push(line) }),
    onWrite: () => void (writes += 1),
  })
  await area.start()
  return { area, lines, writes: () => writes }
}
