import { perStore } from '../../live/per-version.ts'
import type { LiveReader } from '../../live/store.ts'

type Kind = 'guests' | 'nodes'

interface Ids {
  version: number
  byWireId: Map<string, string>
  byStoreId: Map<string, string>
}

const idsOf = perStore<Record<Kind, Ids>>(() => ({ guests: noIds(), nodes: noIds() }))
const noIds = (): Ids => ({ version: -1, byWireId: new Map(), byStoreId: new Map() })
const matters = (field: string) => field === 'id'

/** The store id of a guest, from a record that belongs to it. */
export const guestIdOf = ({ source, vmid }: { source: string; vmid: number | string }): string =>
  `${source}:${vmid}`

/**
 * The store id of the record with this id in alerts, which changes when a guest migrates. After an update it reads only
 * the records whose id changed.
 */
export function storeIdOf(live: LiveReader, kind: Kind, wireId: string): string | undefined {
  const ids = idsOf(live)[kind]
  const version = live.version(kind)
  if (ids.version !== version) {
    const records = live.records(kind)
    const changed = ids.version < 0 ? undefined : live.changedSince(kind, ids.version, matters)
    ids.version = version
    for (const id of changed ?? new Set([...ids.byStoreId.keys(), ...records.keys()])) {
      const before = ids.byStoreId.get(id)
      const now = live.get(kind, id)?.id
      if (before === now) continue
      if (before !== undefined && ids.byWireId.get(before) === id) ids.byWireId.delete(before)
      if (now === undefined) ids.byStoreId.delete(id)
      else {
        ids.byStoreId.set(id, now)
        ids.byWireId.set(now, id)
      }
    }
  }
  return ids.byWireId.get(wireId)
}
