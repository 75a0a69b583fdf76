import { products } from '../proxmox/product.ts'
import { testConnection } from '../proxmox/test-connection.ts'
import { type WatchedHost, watchHost } from '../proxmox/watch-host.ts'
import type { Collector } from '../source.ts'
import { createCache, type PmgCache } from './cache.ts'
import { examine, greet } from './collect.ts'
import { parts } from './parts.ts'

export const pmgHost: WatchedHost<PmgCache> = { product: products.pmg, greet, parts, cache: createCache }

export const pmg: Collector = {
  start: (connection, edges) => watchHost(connection, edges, pmgHost),
  test: (connection, edges) =>
    testConnection(connection, edges, products.pmg, (ask) => examine(ask, edges.clock)),
}
