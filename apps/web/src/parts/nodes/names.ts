import { displayName } from '../../lib/display-name.ts'

interface Named {
  displayName?: string | undefined
  name?: string | undefined
  host?: string | undefined
  instance?: string | undefined
}

/**
 * The node's name, if it adds information to the display name. Another spelling does not, and neither does a
 * name that only adds a domain.
 */
export function extraName(record: Named): string | undefined {
  const shown = normal(displayName(record))
  const own = normal(record.name ?? '')
  if (!own || own === shown) return undefined
  if (plain(own) === plain(shown)) return undefined
  if (own.startsWith(`${shown}.`) || shown.startsWith(`${own}.`)) return undefined
  return record.name?.trim()
}

const normal = (name: string) => name.trim().toLowerCase()
const plain = (name: string) => name.replaceAll(/[^\p{L}\p{N}]/gu, '')

/** '9.0.3' from 'pve-manager/9.0.3/025864202ebb6109' or '4.0.14'. */
export function shortVersion(version: string | undefined): string | undefined {
  return version?.match(/(?<!\d)\d+(?:\.\d+)+/)?.[0]
}
