import type { Estate } from '../estate/estate.ts'
import { namespacesIn, savingTo } from '../protection/targets.ts'
import { hash } from '../random.ts'
import { copiedGroups, guestFailures, guestGroups, hostGroups, siteGroups } from './groups.ts'
import type { Group, Namespace } from './vault.ts'

interface Plan {
  estate: Estate
  index: number
  datastore: string
  /** The number of additional snapshots from other sites. */
  fill: number
  seed: number
}

/** The deepest nesting that PBS allows: seven levels. */
const deepest = 'org/eu/de/north/site-1/rack-2/lab'
const mostNamespaces = 20

/** The first server has the namespaces that the clusters save to; the other servers have copies. */
export function drawNamespaces(plan: Plan): Namespace[] {
  const { estate, index, datastore, fill, seed } = plan
  const own = namespacesIn(estate, datastore).filter((path) => path !== '')
  const groupsIn = (path: string) => (nowMs: number) => guestGroups(savingTo(estate, datastore, path), nowMs)
  if (index > 0) {
    const copied = datastore === 'main' ? own : []
    return [
      root(() => []),
      ...(copied.length > 0 ? [empty('copies')] : []),
      ...copied.map((path) => ({
        path: `copies/${path}`,
        groups: (nowMs: number) => copiedGroups(groupsIn(path)(nowMs), nowMs),
      })),
    ]
  }
  const namespaces: Namespace[] = [
    root((nowMs) =>
      joined(groupsIn('')(nowMs), datastore === 'main' ? hostGroups(seed, ['fileserver'], nowMs) : []),
    ),
    ...own.map((path) => ({
      path,
      groups: groupsIn(path),
      failures: (nowMs: number) => guestFailures(savingTo(estate, datastore, path), nowMs),
    })),
  ]
  if (datastore === 'main') namespaces.push(...nested(seed))
  if (fill > 0) namespaces.push(...sites(fill, Math.max(1, mostNamespaces - namespaces.length - 1), seed))
  return namespaces
}

const root = (groups: Namespace['groups']): Namespace => ({ path: '', groups })
const empty = (path: string, comment?: string): Namespace => ({
  path,
  ...(comment !== undefined && { comment }),
  groups: () => [],
})

/** A chain of namespaces that are empty except for the last. */
function nested(seed: number): Namespace[] {
  const parts = deepest.split('/')
  return parts.map((_, depth) => {
    const path = parts.slice(0, depth + 1).join('/')
    if (depth === parts.length - 1) {
      return { path, groups: (nowMs) => hostGroups(seed, ['nas', 'router'], nowMs) }
    }
    return empty(path, depth === 0 ? 'what other sites send' : undefined)
  })
}

/** Machines of other sites; their VMIDs are also in use here. */
function sites(snapshots: number, count: number, seed: number): Namespace[] {
  const shareOf = (index: number) =>
    Math.floor((snapshots * (index + 1)) / count) - Math.floor((snapshots * index) / count)
  return [
    empty('sites'),
    ...Array.from({ length: count }, (_, index) => {
      const name = `site-${String(index + 1).padStart(2, '0')}`
      return {
        path: `sites/${name}`,
        groups: (nowMs: number) => siteGroups(name, shareOf(index), hash(`${seed}/${name}`), nowMs),
      }
    }),
  ]
}

function* joined(...lists: Iterable<Group>[]): Generator<Group> {
  for (const list of lists) yield* list
}
