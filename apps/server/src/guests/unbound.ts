import type { Guest } from '@pulse/contract'
import type { Tables } from '@pulse/domain'
import { keyOfGuest, mayHaveBeen, vmidOf } from './names.ts'

/** A link stored by name, with its guest. */
export interface Match {
  guestId: string
  key: string
}

/** Names of links whose guests are unknown. */
export interface UnboundNames {
  add(guestId: string): void
  remove(guestId: string): void
  /**
   * The links that new or changed guests resolve. A possible former name waits until every connection has
   * answered, because another guest may match better.
   */
  matches(put: ReadonlyMap<string, Guest> | undefined, isPending: () => boolean): Match[]
}

export function unboundNames(tables: Pick<Tables, 'guests' | 'nodes'>): UnboundNames {
  const byVmid = new Map<number, Set<string>>()
  const waiting = new Set<string>()

  function look(key: string, guest: Guest, found: Map<string, string>) {
    for (const guestId of byVmid.get(guest.vmid) ?? []) {
      if (guest.id === guestId) found.set(guestId, key)
      else if (mayHaveBeen(guestId, guest, tables)) waiting.add(guestId)
    }
  }

  return {
    add(guestId) {
      const vmid = vmidOf(guestId)
      if (vmid === undefined) return
      byVmid.set(vmid, (byVmid.get(vmid) ?? new Set()).add(guestId))
    },
    remove(guestId) {
      const vmid = vmidOf(guestId)
      if (vmid === undefined) return
      waiting.delete(guestId)
      byVmid.get(vmid)?.delete(guestId)
      if (byVmid.get(vmid)?.size === 0) byVmid.delete(vmid)
    },
    matches(put, isPending) {
      if (byVmid.size === 0) return []
      const found = new Map<string, string>()
      for (const [key, guest] of put ?? []) look(key, guest, found)
      if (waiting.size > 0 && !isPending()) {
        for (const guestId of waiting) {
          const key = keyOfGuest(guestId, tables)
          if (key !== undefined) found.set(guestId, key)
        }
        waiting.clear()
      }
      return [...found].map(([guestId, key]) => ({ guestId, key }))
    },
  }
}
