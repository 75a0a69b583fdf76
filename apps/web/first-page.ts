import path from 'node:path'
import type { Rolldown } from 'vite'

type NameOf = Extract<Rolldown.CodeSplittingGroup['name'], (...given: never[]) => unknown>
type Graph = Parameters<NameOf>[1]

const src = path.join(import.meta.dirname, 'src')
const overview = path.join(src, 'features/overview/page.tsx')

/**
 * What the first page is made of is one file, whether others need some of it or not: the document asks for all of it
 * anyway, and as a whole it is smaller than in parts. What other pages alone need stays with them.
 */
export function firstPageChunks(): Rolldown.CodeSplittingOptions {
  let reached: Set<string> | undefined
  const isFirst = (id: string, graph: Graph) => (reached ??= reachedFrom(overview, graph)).has(id)
  return {
    groups: [
      {
        debugName: 'first',
        // the page itself stays a file of its own, which the router asks for
        name: (id, graph) => (isOurs(id) && id !== overview && isFirst(id, graph) ? 'first' : null),
        minShareCount: 1,
      },
    ],
  }
}

/** The program, what its first page is made of, and the page itself. */
export const isOfFirstPage = ({ isEntry, name, facadeModuleId }: Rolldown.OutputChunk): boolean =>
  isEntry || name === 'first' || facadeModuleId === overview

/** Of packages the bundler knows better what is really needed, and takes it along. */
const isOurs = (id: string) => id.startsWith(src) || id.includes('/lucide-react/')

/** What this imports without waiting, and it itself. */
function reachedFrom(root: string, graph: Graph): Set<string> {
  const found = new Set([root])
  for (const id of found) {
    for (const next of graph.getModuleInfo(id)?.importedIds ?? []) {
      // its index names every icon there is: only those count that are asked for by name
      if (next.endsWith(iconIndex)) for (const icon of iconsIn(id, next, graph)) found.add(icon)
      else if (isOurs(next)) found.add(next)
    }
  }
  return found
}

const iconIndex = '/lucide-react.mjs'

/** Files of the icons that a file of ours imports by name. */
function iconsIn(id: string, index: string, graph: Graph): string[] {
  const codeOf = (of: string) => graph.getModuleInfo(of)?.code ?? ''
  const imported = codeOf(id).match(/import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/)?.[1] ?? ''
  const names = imported.split(',').flatMap((one) => one.trim().split(' as ')[0] || [])
  return names.map((name) => {
    const line = codeOf(index).match(new RegExp(`^export .*default as ${name}\\b.* from ["'](.*)["']`, 'm'))
    if (!line?.[1]) throw new Error(`lucide-react has no icon ${name}, which ${id} imports`)
    return path.join(path.dirname(index), line[1])
  })
}
