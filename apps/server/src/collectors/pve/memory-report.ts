import type { MemoryFact } from '../source.ts'
import type { GuestCache } from './guests.ts'
import type { NodeCache } from './nodes.ts'

/** The chosen memory figure of each node and running guest. */
export function reportMemory(
  instance: string,
  nodes: NodeCache,
  guests: GuestCache,
  wallOffset: number,
): MemoryFact[] {
  const ofNodes = nodes.names().flatMap((node): MemoryFact[] => {
    const { memory, statusAt: at } = nodes.get(node)!
    if (!memory) return []
    const { source, trusted, used, total } = memory
    return [
      {
        instance,
        node,
        source,
        trusted,
        used,
        total,
        ...(at !== undefined && { at: Math.round(at + wallOffset) }),
      },
    ]
  })
  const ofGuests = [...guests.all()].flatMap(
    ({ node, vmid, memory, status, raw, seenAt: at }): MemoryFact[] => {
      if (!memory || status !== 'running') return []
      const { source, trusted, used } = memory
      return [
        {
          instance,
          node,
          vmid,
          source,
          trusted,
          used,
          total: raw.maxmem ?? 0,
          at: Math.round(at + wallOffset),
        },
      ]
    },
  )
  return [...ofNodes, ...ofGuests]
}
