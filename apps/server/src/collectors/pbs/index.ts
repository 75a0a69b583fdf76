import { products } from '../proxmox/product.ts'
import { testConnection } from '../proxmox/test-connection.ts'
import { type WatchedHost, watchHost } from '../proxmox/watch-host.ts'
import type { Collector } from '../source.ts'
import { createCache, type PbsCache } from './cache.ts'
import { examine, greet } from './collect.ts'
import { parts } from './parts.ts'

export const pbsHost: WatchedHost<PbsCache> = { product: products.pbs, greet, parts, cache: createCache }

export const pbs: Collector = {
  start: (connection, edges) => watchHost(connection, edges, pbsHost),
  test: (connection, edges) =>
    testConnection(connection, edges, products.pbs, (ask) => examine(ask, edges.clock)),
}
