import { type Area, exportPartsOf } from '../area.ts'
import type { OnSignal } from '../signal.ts'
import type { KdfCost } from '../hashing.ts'
import { partsInOrder } from './parts.ts'
import { transferRoutes, type TransferParts } from './routes.ts'
import { createTransfer, type TransferEdges } from './transfer.ts'

export interface TransferAreaEdges extends Omit<TransferEdges, 'parts' | 'live' | 'cost'> {
  /** whose parts an export carries */
  areas: readonly Area[]
  access: TransferParts
  hashing: { exportCost: KdfCost } | undefined
  /** Nobody knows which of the calls under way took effect: every memory of what is stored is made anew. */
  onDatabaseRestart: OnSignal
  onReloadError: (error: unknown) => void
}

/** Export and import of everything that is set up. */
export function transferArea({ areas, access, hashing, ...edges }: TransferAreaEdges): Area {
  // several parts may be of one area, which would wait for itself
  const live = [...new Set(exportPartsOf(areas).flatMap((part) => part.live ?? []))]
  const transfer = createTransfer({
    ...edges,
    live,
    parts: partsInOrder(areas),
    cost: hashing?.exportCost,
  })
  edges.onDatabaseRestart(() => {
    for (const one of live) one.inTurn(() => one.reload()).catch(edges.onReloadError)
  })
  return { name: 'export and import', routes: transferRoutes(transfer, access) }
}
