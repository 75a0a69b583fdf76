import type { Diagnostics } from '@pulse/contract'

/** How many guests there are of each source, the most frequent first. */
export function guestSources(guests: Diagnostics['guestSnapshots']): string[] {
  const groups = Map.groupBy(guests, ({ memorySource }) => memorySource)
  return [...groups]
    .map(([source, { length }]) => ({ source, length }))
    .toSorted((a, b) => b.length - a.length)
    .map(({ source, length }) => `${length} by ${source}`)
}
