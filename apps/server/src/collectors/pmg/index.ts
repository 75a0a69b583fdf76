import { products } from '../proxmox/product.ts'
import { testConnection } from '../proxmox/test-connection.ts'
import { watchHost } from '../proxmox/watch-host.ts'
import type { Collector } from '../source.ts'
import { collect, examine } from './collect.ts'

export const pmg: Collector = {
  start: (connection, edges) => watchHost(connection, edges, products.pmg, collect),
  test: (connection, edges) =>
    testConnection(connection, edges, products.pmg, (ask) => examine(ask, edges.clock)),
}
