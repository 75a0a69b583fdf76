import type { Guest } from '@pulse/contract'
import type { LiveReader } from '../../live/store.ts'

/** The fields that match a backup to its guest. */
export type NamedGuest = Pick<Guest, (typeof fields)[number]>

const fields = ['source', 'instance', 'node', 'vmid', 'name', 'type'] as const
const matters: (field: string) => boolean = (field) => (fields as readonly string[]).includes(field)

/** Guests by number. Guests of several clusters may share a number. */
export type GuestNames = ReadonlyMap<number, readonly NamedGuest[]>

/**
 * Returns the same map until a guest appears, disappears, moves or is renamed, and then the same lists for
 * unaffected numbers. Guests' figures change constantly and must not matter.
 */
export function createGuestNames(): (live: LiveReader) => GuestNames {
  const known = new Map<string, NamedGuest>()
  let names: GuestNames = new Map()
  let version = -1

  return (live) => {
    if (live.version('guests') === version) return names
    const guests = live.records('guests')
    const changed = version < 0 ? undefined : live.changedSince('guests', version, matters)
    version = live.version('guests')
    const moved = new Set<number>()
    for (const id of changed ?? new Set([...known.keys(), ...guests.keys()])) {
      const before = known.get(id)
      const guest = guests.get(id)
      if (before && guest && isSame(before, guest)) continue
      if (before) moved.add(before.vmid)
      if (guest) {
        const { source, instance, node, vmid, name, type } = guest
        known.set(id, { source, instance, node, vmid, name, type })
        moved.add(vmid)
      } else known.delete(id)
    }
    if (moved.size > 0) names = withNew(names, known, moved)
    return names
  }
}

function withNew(
  names: GuestNames,
  known: ReadonlyMap<string, NamedGuest>,
  moved: ReadonlySet<number>,
): GuestNames {
  const next = new Map(names)
  for (const vmid of moved) next.delete(vmid)
  const bearers = [...known.values()].filter(({ vmid }) => moved.has(vmid))
  for (const [vmid, guests] of Map.groupBy(bearers, (guest) => guest.vmid)) next.set(vmid, guests)
  return next
}

/** Numbers with different guests than before. */
export function numbersMoved(before: GuestNames, now: GuestNames): ReadonlySet<number> {
  const moved = new Set<number>()
  if (before === now) return moved
  for (const [vmid, guests] of now) if (before.get(vmid) !== guests) moved.add(vmid)
  for (const vmid of before.keys()) if (!now.has(vmid)) moved.add(vmid)
  return moved
}

const isSame = (a: NamedGuest, b: NamedGuest): boolean =>
  a.name === b.name &&
  a.node === b.node &&
  a.type === b.type &&
  a.vmid === b.vmid &&
  a.instance === b.instance &&
  a.source === b.source
