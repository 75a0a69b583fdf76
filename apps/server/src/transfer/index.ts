import { type Area, cachesOf } from '../area.ts'
import { type OnRowsChanged, reloadOnChange } from '../row-cache.ts'
import type { KdfCost } from '../hashing.ts'
import { partsInOrder } from './parts.ts'
import { transferRoutes, type TransferParts } from './routes.ts'
import { createTransfer, type TransferEdges } from './transfer.ts'

export interface TransferAreaEdges extends Omit<TransferEdges, 'parts' | 'caches' | 'cost'> {
  /** whose parts an export carries */
  areas: readonly Area[]
  access: TransferParts
  hashing: { exportCost: KdfCost } | undefined
  onRowsChanged: OnRowsChanged
  onReloadError: (error: unknown) => void
}

/** Export and import of everything that is set up. */
export function transferArea({ areas, access, hashing, ...edges }: TransferAreaEdges): Area {
  const caches = cachesOf(areas)
  const transfer = createTransfer({
    ...edges,
    caches,
    parts: partsInOrder(areas),
    cost: hashing?.exportCost,
  })
  reloadOnChange(caches, edges.onRowsChanged, edges.onReloadError)
  return { name: 'export and import', routes: transferRoutes(transfer, access) }
}
