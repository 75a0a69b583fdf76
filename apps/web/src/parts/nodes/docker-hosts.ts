import type { DockerHost } from '@pulse/contract'
import { isEqual, type SearchedHost } from '@pulse/domain'
import { perVersion } from '../../live/per-version.ts'
import { compareValues } from '../../ui/table/sort.ts'

/** What is said of a container host beside its figures. */
interface IndexedHost extends SearchedHost {
  name: string
  online: boolean
}

/** By the identity in the store, which is the source of the containers too. */
export type HostIndex = ReadonlyMap<string, IndexedHost>

/** The hosts that are not hidden. The same map until something said here changes. */
export const indexHosts = perVersion(
  ['dockerHosts'],
  (live): HostIndex =>
    new Map(
      [...live.records('dockerHosts')]
        .filter(([, host]) => !host.hidden)
        .map(([id, host]) => [id, describe(host)]),
    ),
  (a, b) => isEqual([...a], [...b]),
)

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
