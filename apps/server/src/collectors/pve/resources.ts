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

const linesPerTurn = 1_000

/** Ten thousand lines take longer to check than other sources should have to wait. */
export async function readResources(data: unknown): Promise<Pick<Listing, 'nodes' | 'guests' | 'storages'>> {
  const nodes: PveNode[] = []
  const guests: PveGuest[] = []
  const storages: PveStorageEntry[] = []
  const lines = Array.isArray(data) ? data : readList(PveResource, data, '/cluster/resources')
  for (let index = 0; index < lines.length; index += linesPerTurn) {
    await nextTurn()
    const some = readList(PveResource, lines.slice(index, index + linesPerTurn), '/cluster/resources')
    for (const line of some) {
      if (line.type === 'node') nodes.push(line)
      else if (line.type === 'storage') storages.push(line)
      else guests.push(line)
    }
  }
  return { nodes, guests, storages }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
