import { products } from '../proxmox/product.ts'
import { testConnection } from '../proxmox/test-connection.ts'
import { watchHost } from '../proxmox/watch-host.ts'
import type { Collector } from '../source.ts'
import { collect, examine } from './collect.ts'

export const pbs: Collector = {
  start: (connection, edges) => watchHost(connection, edges, products.pbs, collect),
  test: (connection, edges) =>
    testConnection(connection, edges, products.pbs, (ask) => examine(ask, edges.clock)),
}
