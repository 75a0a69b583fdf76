import { readGuestLine } from './guest-line.ts'
import { PveResource, readList, type PveGuest, type PveNode, type PveStorageEntry } from './schema.ts'

/** One answer of `/cluster/resources`. */
export interface Listing {
  nodes: readonly PveNode[]
  guests: readonly PveGuest[]
  storages: readonly PveStorageEntry[]
  /** the arrival time, by the monotonic clock */
  at: number
  freshForMs: number
}

/** Parses lines as they arrive, and keeps only the parsed fields. */
export interface ResourceTaker extends Pick<Listing, 'nodes' | 'guests' | 'storages'> {
  take(line: unknown): void
}

export function takeResources(): ResourceTaker {
  const nodes: PveNode[] = []
  const guests: PveGuest[] = []
  const storages: PveStorageEntry[] = []
  return {
    nodes,
    guests,
    storages,
    take(line) {
      const guest = isObject(line) && readGuestLine(line)
      if (guest) return void guests.push(guest)
      for (const other of readList(PveResource, [line], '/cluster/resources')) {
        if (other.type === 'node') nodes.push(other)
        else if (other.type === 'storage') storages.push(other)
      }
    },
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
