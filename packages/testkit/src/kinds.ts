import { type Kind, kinds } from '@pulse/contract'

/** Adds a record kind, in memory, until the returned function is called. */
export function withKind(name: string, entry: Kind): () => void {
  const table = kinds as unknown as Record<string, Kind>
  table[name] = entry
  return () => void delete table[name]
}
