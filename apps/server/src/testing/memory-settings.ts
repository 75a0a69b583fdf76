import { pino } from 'pino'
import type { SettingsTable } from '../db/settings.ts'
import type { SettingsEdges } from '../settings-document.ts'

/** A settings table in memory that records its writes. */
export function memoryStore(
  texts: Record<string, string> = {},
): SettingsTable & { texts: Map<string, string> } {
  const all = new Map(Object.entries(texts))
  return {
    texts: all,
    read: async (key) => all.get(key),
    write: async (key, text) => void all.set(key, text),
    writing: () => {
      throw new Error('a table in memory has no statements')
    },
  }
}

/** The dependencies of a settings document. `troubles` contains the current ones. */
export function memorySettings(
  store: SettingsTable = memoryStore(),
): SettingsEdges & { readonly lines: string[]; readonly lasting: Map<string, string>; writes(): number } {
  const lines: string[] = []
  const lasting = new Map<string, string>()
  let writes = 0
  return {
    store,
    lines,
    lasting,
    writes: () => writes,
    log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
    onWrite: () => void (writes += 1),
    troubles: {
      begin: (id, message) => void lasting.set(id, message),
      end: (id) => void lasting.delete(id),
    },
  }
}
