import type { Diagnostics } from '@pulse/contract'

const words: Readonly<Record<string, string>> = {
  available: 'available memory',
  cache: 'memory without page cache',
  rrd: 'recorded statistics',
  agent: 'guest agent',
  mem: 'memory of the machine',
  freemem: 'free memory in the guest',
  used: 'used memory with page cache',
  list: 'list of the cluster',
}

/** Where a figure comes from, in words; by its name where there are none yet. */
export const memorySourceText = (source: string): string =>
  (Object.hasOwn(words, source) && words[source]) || source

/** How many guests there are of each source, the most frequent first. */
export function guestSources(guests: Diagnostics['guestSnapshots']): string[] {
  const groups = Map.groupBy(guests, ({ memorySource }) => memorySource)
  return [...groups]
    .map(([source, { length }]) => ({ source, length }))
    .toSorted((a, b) => b.length - a.length)
    .map(({ source, length }) => `${length} by ${memorySourceText(source)}`)
}
