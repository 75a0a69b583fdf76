import path from 'node:path'
import type { Rolldown } from 'vite'

type NameOf = Extract<Rolldown.CodeSplittingGroup['name'], (...given: never[]) => unknown>
type Graph = Parameters<NameOf>[1]

const src = path.join(import.meta.dirname, 'src')
const program = path.join(src, 'main.tsx')
const overview = path.join(src, 'features/overview/page.tsx')

/**
 * What the first page has in common with others is one file, not a dozen small ones that are asked for one after the
 * other.
 */
export function firstPageChunks(): Rolldown.CodeSplittingOptions {
  let reached: Set<string> | undefined
  const isFirst = (id: string, graph: Graph) => (reached ??= reachedFrom([program, overview], graph)).has(id)
  return {
    groups: [
      {
        debugName: 'shared',
        name: (id, graph) => (isOurs(id) && isFirst(id, graph) ? 'shared' : null),
        minShareCount: 2,
      },
    ],
  }
}

/** Of packages the bundler knows better what is really needed, and takes it along. */
const isOurs = (id: string) => id.startsWith(src) || id.includes('/lucide-react/')

/** What these import without waiting, and they themselves. */
function reachedFrom(roots: string[], graph: Graph): Set<string> {
  const found = new Set(roots)
  for (const id of found) {
    for (const next of graph.getModuleInfo(id)?.importedIds ?? []) if (isOurs(next)) found.add(next)
  }
  return found
}
