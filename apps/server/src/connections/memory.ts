import type { Diagnostics } from '@pulse/contract'
import type { MemoryFact } from '../collectors/source.ts'

/** Among ten thousand guests, a sample is enough to see which memory sources are in use. */
const mostGuests = 500

export function describeMemory(
  facts: readonly MemoryFact[],
): Pick<Diagnostics, 'memorySources' | 'nodeSnapshots' | 'guestSnapshots'> {
  const ofNodes = facts.filter(({ vmid }) => vmid === undefined)
  const groups = new Map<string, MemoryFact[]>()
  for (const fact of ofNodes) {
    const key = `${fact.instance}\n${fact.source}`
    groups.set(key, [...(groups.get(key) ?? []), fact])
  }
  return {
    memorySources: [...groups.values()].map((group) => ({
      instance: group[0]!.instance,
      source: group[0]!.source,
      nodeCount: group.length,
      lastUpdated: time(Math.max(...group.map(({ at = 0 }) => at))),
      fallback: !group[0]!.trusted,
    })),
    nodeSnapshots: ofNodes.map(snapshot),
    guestSnapshots: facts
      .flatMap((fact) => (fact.vmid === undefined ? [] : [{ ...snapshot(fact), vmid: fact.vmid }]))
      .slice(0, mostGuests),
  }
}

const snapshot = ({ instance, node, source, trusted, used, total, at }: MemoryFact) => ({
  instance,
  node,
  memorySource: source,
  fallback: !trusted,
  used,
  total,
  ...(at !== undefined && { retrievedAt: time(at) }),
})

const time = (at: number) => new Date(at).toISOString()
