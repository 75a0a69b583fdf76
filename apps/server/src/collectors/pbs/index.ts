import { products } from '../proxmox/product.ts'
import { testConnection } from '../proxmox/test-connection.ts'
import { type WatchedHost, watchHost } from '../proxmox/watch-host.ts'
import type { Collector } from '../source.ts'
import { createBook, type PbsBook } from './book.ts'
import { examine, greet } from './collect.ts'
import { parts } from './parts.ts'

export const pbsHost: WatchedHost<PbsBook> = { product: products.pbs, greet, parts, book: createBook }

export const pbs: Collector = {
  start: (connection, edges) => watchHost(connection, edges, pbsHost),
  test: (connection, edges) =>
    testConnection(connection, edges, products.pbs, (ask) => examine(ask, edges.clock)),
}
