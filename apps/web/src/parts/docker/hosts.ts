import type { DockerHost } from '@pulse/contract'
import { isEqual, type SearchedHost } from '@pulse/domain'
import type { LiveReader } from '../../live/store.ts'
import { compareValues } from '../../ui/table/sort.ts'

/** What is said of a container host beside its figures. */
interface IndexedHost extends SearchedHost {
  name: string
  online: boolean
}

/** By the identity in the store, which is the source of the containers too. */
export type HostIndex = ReadonlyMap<string, IndexedHost>

const held = new WeakMap<LiveReader, { version: number; index: HostIndex }>()

/** Those that are not hidden. The same map until something said here changes. */
export function indexHosts(live: LiveReader): HostIndex {
  const version = live.version('dockerHosts')
  const before = held.get(live)
  if (before?.version === version) return before.index
  const fresh: HostIndex = new Map(
    [...live.records('dockerHosts')]
      .filter(([, host]) => !host.hidden)
      .map(([id, host]) => [id, describe(host)]),
  )
  const index = before && isEqual([...before.index], [...fresh]) ? before.index : fresh
  held.set(live, { version, index })
  return index
}

const describe = (host: DockerHost): IndexedHost => ({
  displayName: host.displayName,
  hostname: host.hostname,
  status: host.status,
  name: hostName(host),
  online: host.status === 'online',
})

export const hostName = ({
  displayName,
  hostname,
  id,
}: Pick<DockerHost, 'displayName' | 'hostname' | 'id'>) => displayName || hostname || id

/** Those that report first, then by name. */
export const orderHosts = (ids: readonly string[], index: HostIndex): readonly string[] =>
  ids.toSorted((a, b) => {
    const [one, other] = [index.get(a), index.get(b)]
    const byState = Number(other?.online ?? false) - Number(one?.online ?? false)
    return byState || compareValues(one?.name ?? a, other?.name ?? b) || (a < b ? -1 : 1)
  })
