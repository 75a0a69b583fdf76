import {
  type AlertConfig,
  type AlertOverride,
  overrideKey,
  type OverrideKind,
  overrideKinds,
} from '@pulse/contract'
import { overrideOf, type Tables } from '@pulse/domain'

type Overrides = AlertConfig['overrides']

const kinds = Object.keys(overrideKinds) as OverrideKind[]
const isCanonical = (key: string) => kinds.some((kind) => key.startsWith(overrideKey(kind, '')))
const saysAnything = (override: AlertOverride) => Object.values(override).some((value) => value !== undefined)

/**
 * Overrides under the keys of their resources, whatever those were called by whoever saved them. One whose resource is not
 * there keeps its name, and is found by it when the resource appears; one that says nothing goes.
 */
export function canonicalOverrides(given: Overrides, tables: Tables): Overrides {
  const renamed = new Map<string, string>()
  let open = Object.keys(given).filter((key) => !isCanonical(key)).length
  for (const kind of kinds) {
    if (open === 0) break
    for (const [key, record] of tables[kind]) {
      const found = overrideOf(given, kind, key, record, (name) =>
        tables.nodes.has(`${record.source}:${name}`),
      )
      const canonical = overrideKey(kind, key)
      if (!found || found.key === canonical || renamed.has(found.key)) continue
      renamed.set(found.key, canonical)
      open -= 1
    }
  }
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, override]) => saysAnything(override))
      .map(([key, override]) => [renamed.get(key) ?? key, override]),
  )
}
