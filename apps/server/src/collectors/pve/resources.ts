import { readGuestLine } from './guest-line.ts'
import { PveResource, readList, type PveGuest, type PveNode, type PveStorageEntry } from './schema.ts'

/** One answer of `/cluster/resources`. */
export interface Listing {
  nodes: readonly PveNode[]
  guests: readonly PveGuest[]
  storages: readonly PveStorageEntry[]
  /** when it arrived, by the monotonic clock */
  at: number
  freshForMs: number
}

const linesPerStep = 500

/** Ten thousand lines take longer to check than other sources should have to wait. */
export function* readResources(
  data: unknown,
): Generator<void, Pick<Listing, 'nodes' | 'guests' | 'storages'>, undefined> {
  const nodes: PveNode[] = []
  const guests: PveGuest[] = []
  const storages: PveStorageEntry[] = []
  const lines: unknown[] = Array.isArray(data) ? data : readList(PveResource, data, '/cluster/resources')
  for (const [index, line] of lines.entries()) {
    if (index % linesPerStep === 0) yield
    const guest = isObject(line) && readGuestLine(line)
    if (guest) guests.push(guest)
    for (const other of guest ? [] : readList(PveResource, [line], '/cluster/resources')) {
      if (other.type === 'node') nodes.push(other)
      else if (other.type === 'storage') storages.push(other)
    }
  }
  return { nodes, guests, storages }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
