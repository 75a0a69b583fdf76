import type { Guest } from '@pulse/contract'
import type { LiveReader } from '../../live/store.ts'

/** What a backup has to know of a guest to be known as its. */
export type NamedGuest = Pick<Guest, 'source' | 'instance' | 'node' | 'vmid' | 'name' | 'type'>

/** Guests by number, which those of several clusters may share. */
export type GuestNames = ReadonlyMap<number, readonly NamedGuest[]>

/** The same map until a guest comes, goes, moves or is called otherwise: figures of guests change all the time. */
export function createGuestNames(): (live: LiveReader) => GuestNames {
  const known = new Map<string, NamedGuest>()
  let names: GuestNames = new Map()
  let version = -1

  return (live) => {
    if (live.version('guests') === version) return names
    const guests = live.records('guests')
    const changed = version < 0 ? undefined : live.changedSince('guests', version)
    version = live.version('guests')
    let moved = false
    for (const id of changed ?? new Set([...known.keys(), ...guests.keys()])) {
      const before = known.get(id)
      const guest = guests.get(id)
      if (!guest) moved = known.delete(id) || moved
      else if (!before || !isSame(before, guest)) {
        const { source, instance, node, vmid, name, type } = guest
        known.set(id, { source, instance, node, vmid, name, type })
        moved = true
      }
    }
    if (moved) names = Map.groupBy(known.values(), ({ vmid }) => vmid)
    return names
  }
}

const isSame = (a: NamedGuest, b: NamedGuest): boolean =>
  a.name === b.name &&
  a.node === b.node &&
  a.type === b.type &&
  a.vmid === b.vmid &&
  a.instance === b.instance &&
  a.source === b.source
