import type { PhysicalDisk, Storage } from '@pulse/contract'
import { isOfSites, type SiteOf, siteTerms } from '@pulse/domain'

/** Lower-case terms: `node:{name}` filters by node, `site:{name}` by site; any other word must occur in a text. */
interface Terms {
  nodes: readonly string[]
  sites: readonly string[]
  words: readonly string[]
}

const NODE = 'node:'

/** Without sites, `site:` is a word like any other. */
function parse(search: string, hasSites: boolean): Terms {
  const { sites, rest } = hasSites ? siteTerms(search) : { sites: [], rest: search }
  const terms = [...new Set(rest.toLowerCase().split(/\s+/).filter(Boolean))]
  return {
    nodes: terms.flatMap((term) => (term.startsWith(NODE) ? [term.slice(NODE.length)] : [])).filter(Boolean),
    sites,
    words: terms.filter((term) => !term.startsWith(NODE)),
  }
}

/**
 * Every word must occur in a text, and every named node must match. An unknown name counts as incomplete and
 * matches as a substring.
 */
function isFound({ nodes, words }: Terms, texts: readonly string[], own: readonly string[], all: NodeNames) {
  const names = own.map((name) => name.toLowerCase())
  const isOf = (wanted: string) =>
    all.has(wanted) ? names.includes(wanted) : names.some((name) => name.includes(wanted))
  if (!nodes.every(isOf)) return false
  const lower = texts.map((text) => text.toLowerCase())
  return words.every((word) => lower.some((text) => text.includes(word)))
}

/** In lower case. */
export type NodeNames = ReadonlySet<string>

export type PoolPredicate = (pool: Storage, nodeNames: NodeNames, pbsNames: readonly string[]) => boolean

export function compilePoolSearch(search: string, siteOf?: SiteOf): PoolPredicate {
  const terms = parse(search, siteOf !== undefined)
  return (pool, nodeNames, pbsNames) => {
    if (!isOfSites(siteOf?.(pool.source), terms)) return false
    const nodes = pool.shared ? (pool.nodes ?? []) : [pool.node]
    const { name, type, content, status } = pool
    return isFound(terms, [name, type, content, status, ...nodes, ...pbsNames], nodes, nodeNames)
  }
}

export type DiskPredicate = (disk: PhysicalDisk, nodeNames: NodeNames) => boolean

export function compileDiskSearch(search: string, siteOf?: SiteOf): DiskPredicate {
  const terms = parse(search, siteOf !== undefined)
  return ({ model, devPath, serial, node, source }, nodeNames) =>
    isOfSites(siteOf?.(source), terms) && isFound(terms, [model, devPath, serial, node], [node], nodeNames)
}
