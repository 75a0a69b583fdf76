import { type Kind, kinds } from '@pulse/contract'

/** One more kind of record, in memory, until the returned function is called. */
export function withKind(name: string, entry: Kind): () => void {
  const table = kinds as unknown as Record<string, Kind>
  table[name] = entry
  return () => void delete table[name]
}
