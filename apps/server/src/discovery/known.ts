import type { DiscoveredServer, NodeConfig } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { isIP } from 'node:net'
import type { Names } from './names.ts'

export type KnownNode = Pick<NodeConfig, 'host' | 'clusterEndpoints'>

/** A slower name server does not delay a scan. */
const lookupMs = 2000

/** Recognizes found servers that Pulse already monitors. */
export interface KnownServers {
  has(server: DiscoveredServer): boolean
  /** Resolves the names of nodes again. */
  refresh(): Promise<void>
}

/** Compares address and port, never the name that a server reports: many are called pve. */
export function knownServers(
  nodes: () => readonly KnownNode[],
  names: Pick<Names, 'addressesOf'>,
  clock: Clock,
): KnownServers {
  const addresses = new Map<string, string[]>()

  const urls = () =>
    nodes().flatMap(({ host, clusterEndpoints = [] }) => {
      const { port } = new URL(host)
      return [host, ...clusterEndpoints.flatMap(({ Host, IP }) => [Host, IP && `https://${IP}:${port}`])]
        .map((text) => URL.parse(text))
        .filter((url) => url !== null)
    })

  return {
    has: ({ ip, port }) =>
      urls().some(
        (url) =>
          url.port === String(port) &&
          (url.hostname === ip || addresses.get(url.hostname)?.includes(ip) === true),
      ),
    async refresh() {
      const wanted = new Set(urls().map(({ hostname }) => hostname))
      const named = [...wanted].filter((name) => isIP(name) === 0 && !name.startsWith('['))
      const lookups = named.map(async (name) => void addresses.set(name, await names.addressesOf(name)))
      await new Promise<void>((resolve) => {
        const cancel = clock.after(lookupMs, resolve)
        const finish = () => {
          cancel()
          resolve()
        }
        Promise.all(lookups).then(finish, finish)
      })
    },
  }
}
