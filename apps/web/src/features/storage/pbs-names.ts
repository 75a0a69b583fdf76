import type { Storage } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import type { LiveReader } from '../../live/store.ts'

/** The names of backup servers, by the name or address of their host. */
export type PbsServers = ReadonlyMap<string, readonly string[]>

const held = new WeakMap<LiveReader, { version: number; servers: PbsServers }>()

/** The same map while names and hosts are the same, whatever the figures of the servers do. */
export function pbsServers(live: LiveReader): PbsServers {
  const version = live.version('pbs')
  const before = held.get(live)
  if (before?.version === version) return before.servers
  const hosts = Map.groupBy(live.records('pbs').values(), ({ host }) => hostOf(host))
  const fresh: PbsServers = new Map([...hosts].map(([host, all]) => [host, all.map(({ name }) => name)]))
  const servers = before && isEqual([...before.servers], [...fresh]) ? before.servers : fresh
  held.set(live, { version, servers })
  return servers
}

/** What a storage of type pbs is known by: the connection to its server, the server itself, and its datastore. */
export function pbsNamesOf({ pbs }: Pick<Storage, 'pbs'>, servers: PbsServers): readonly string[] {
  if (!pbs) return []
  return [...(servers.get(hostOf(pbs.server)) ?? []), pbs.server, pbs.datastore]
}

/** `https://pbs1.example:8007` and `pbs1.example` are one. */
function hostOf(address: string): string {
  const url = address.includes('://') ? address : `https://${address}`
  return URL.canParse(url) ? new URL(url).hostname : address.toLowerCase()
}
