import type { PhysicalDisk, Storage } from '@pulse/contract'

/** Lower-case terms: `node:{name}` filters by node; any other word must occur in a text. */
interface Terms {
  nodes: readonly string[]
  words: readonly string[]
}

const NODE = 'node:'

function parse(search: string): Terms {
  const terms = [...new Set(search.toLowerCase().split(/\s+/).filter(Boolean))]
  return {
    nodes: terms.flatMap((term) => (term.startsWith(NODE) ? [term.slice(NODE.length)] : [])).filter(Boolean),
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

export function compilePoolSearch(search: string): PoolPredicate {
  const terms = parse(search)
  return (pool, nodeNames, pbsNames) => {
    const nodes = pool.shared ? (pool.nodes ?? []) : [pool.node]
    const { name, type, content, status } = pool
    return isFound(terms, [name, type, content, status, ...nodes, ...pbsNames], nodes, nodeNames)
  }
}

export type DiskPredicate = (disk: PhysicalDisk, nodeNames: NodeNames) => boolean

export function compileDiskSearch(search: string): DiskPredicate {
  const terms = parse(search)
  return ({ model, devPath, serial, node }, nodeNames) =>
    isFound(terms, [model, devPath, serial, node], [node], nodeNames)
}
