import {
  type AlertConfig,
  type AlertOverride,
  overrideKey,
  type OverrideKind,
  overrideKinds,
} from '@pulse/contract'
import { overrideNames, overrideOf, type Tables } from '@pulse/domain'
import { isDeepStrictEqual } from 'node:util'

type Overrides = AlertConfig['overrides']

const kinds = Object.keys(overrideKinds) as OverrideKind[]
const isCanonical = (key: string) => kinds.some((kind) => key.startsWith(overrideKey(kind, '')))
const saysAnything = (override: AlertOverride) => Object.values(override).some((value) => value !== undefined)

/**
 * Overrides under the keys of their resources, whichever name a client used. When a client sends two names of
 * one resource, the override that differs from `stored` wins; if both differ, the documented name wins. If
 * neither differs, the override that the rules use wins. An override without a resource keeps its name until
 * the resource appears. An empty override is removed.
 */
export function canonicalOverrides(given: Overrides, tables: Tables, stored: Overrides = given): Overrides {
  const keyOf = new Map<string, string>()
  const winner = new Map<string, string>()
  const isChanged = (name: string, canonical: string) =>
    [name, canonical].every((key) => !isDeepStrictEqual(given[name], stored[key]))
  let open = Object.keys(given).filter((key) => !isCanonical(key)).length
  for (const kind of kinds) {
    if (open === 0) break
    for (const [key, record] of tables[kind]) {
      const canonical = overrideKey(kind, key)
      const names = namesIn(given, kind, key, record, tables).filter(
        (name) => name === canonical || !keyOf.has(name),
      )
      const documented = names.filter((name) => name !== canonical)
      if (documented.length === 0) continue
      for (const name of documented) keyOf.set(name, canonical)
      open -= documented.length
      winner.set(canonical, documented.find((name) => isChanged(name, canonical)) ?? names[0]!)
    }
  }
  const result: Record<string, AlertOverride> = {}
  for (const [key, override] of Object.entries(given)) {
    const canonical = keyOf.get(key) ?? key
    if (saysAnything(override) && (winner.get(canonical) ?? key) === key) result[canonical] = override
  }
  return result
}

/** The same under the ids of `/api/state`, which clients of Pulse 4.x use. Unknown resources keep their key. */
export function documentedOverrides(canonical: Overrides, tables: Tables): Overrides {
  const documented = new Map<string, string>()
  for (const kind of kinds) {
    for (const [key, record] of tables[kind]) {
      const [own = '', name] = overrideNames(kind, key, record)
      if (name !== undefined && Object.hasOwn(canonical, own)) documented.set(own, name)
    }
  }
  return Object.fromEntries(Object.entries(canonical).map(([key, one]) => [documented.get(key) ?? key, one]))
}

/** The names of overrides that match no resource. */
export function unmatchedOverrides(given: Overrides, tables: Tables): string[] {
  const matched = new Set<string>()
  for (const kind of kinds) {
    for (const [key, record] of tables[kind])
      for (const name of namesIn(given, kind, key, record, tables)) matched.add(name)
  }
  return Object.keys(given).filter((name) => !matched.has(name))
}

function namesIn(
  given: Overrides,
  kind: OverrideKind,
  key: string,
  record: { source: string },
  tables: Tables,
): string[] {
  const names = overrideNames(kind, key, record).filter((name) => Object.hasOwn(given, name))
  const found = overrideOf(given, kind, key, record, (name) => tables.nodes.has(`${record.source}:${name}`))
  return found && !names.includes(found.key) ? [...names, found.key] : names
}
