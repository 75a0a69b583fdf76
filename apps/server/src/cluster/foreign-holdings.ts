import type { AnyRecord } from '@pulse/contract'
import type { Frame } from '@pulse/domain'

interface Bounds {
  records: number
  /** as JSON */
  bytes: number
}

/**
 * Twice a backup server with 200,000 backups, which is the limit of Pulse: a new base may have other ids than the one
 * before.
 */
const usual: Bounds = { records: 500_000, bytes: 192 * 1024 * 1024 }

/**
 * Follows what the state has of one source, frame by frame: also what a base left behind that never became complete. Throws
 * if that is too much.
 */
export function createHoldings(most = usual): (frame: Frame) => void {
  /** bytes by id */
  const kinds = new Map<string, Map<string, number>>()
  let named: Map<string, Set<string>> | undefined
  let [records, bytes] = [0, 0]

  function drop(held: Map<string, number>, id: string) {
    const size = held.get(id)
    if (size === undefined) return
    held.delete(id)
    records--
    bytes -= size
  }

  function put(held: Map<string, number>, id: string, record: AnyRecord) {
    drop(held, id)
    const size = id.length + JSON.stringify(record).length
    held.set(id, size)
    records++
    bytes += size
  }

  function finish() {
    for (const [kind, ids] of named ?? []) {
      const held = kinds.get(kind)!
      for (const id of held.keys()) if (!ids.has(id)) drop(held, id)
    }
    named = undefined
  }

  return (frame) => {
    if (frame.begins) named = new Map()
    for (const [kind, changes] of Object.entries(frame.records)) {
      const held = kinds.get(kind) ?? new Map<string, number>()
      kinds.set(kind, held)
      const ids = named?.get(kind) ?? new Set<string>()
      named?.set(kind, ids)
      for (const [id, record] of changes.put) {
        put(held, id, record)
        if (named) ids.add(id)
      }
      for (const id of changes.remove) drop(held, id)
    }
    if (frame.completes) finish()
    if (records > most.records || bytes > most.bytes) throw new RangeError('a source has too many records')
  }
}
