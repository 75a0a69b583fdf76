import type { Node, Storage } from '../estate/estate.ts'
import { hash } from '../random.ts'
import { slotNoise } from './curve.ts'

export interface StorageReading {
  active: boolean
  totalBytes: number
  usedBytes: number
}

const nothing: StorageReading = { active: false, totalBytes: 0, usedBytes: 0 }

export function readStorage(storage: Storage, node: Node, atMs: number): StorageReading {
  const pins = storage.pins.get(node.name)
  const isThere = pins?.active ?? (storage.absentOn !== node.name && (storage.isReachable?.() ?? true))
  if (!isThere || !isEnabledOn(storage, node)) return nothing
  // Every node reports the same usage for a shared storage.
  const seed = storage.shared ? storage.seed : hash(`${storage.seed}/${node.name}`)
  const dayMs = 86_400_000
  const grown = ((atMs + (seed % (14 * dayMs))) % (14 * dayMs)) / (14 * dayMs)
  const fill = 0.25 + 0.4 * slotNoise(seed, 0, 1) + 0.08 * grown
  const totalBytes = pins?.totalBytes ?? storage.totalBytes
  return { active: true, totalBytes, usedBytes: pins?.usedBytes ?? Math.floor(totalBytes * fill) }
}

export const isEnabledOn = (storage: Storage, node: Node): boolean =>
  !storage.disabled && (storage.nodes === undefined || storage.nodes.includes(node.name))
