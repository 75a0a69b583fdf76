import type { Clock } from '@pulse/domain'
import { createMutex } from './concurrency.ts'

/** The pause before refused rows are written again. */
export const retryMs = 5_000

export interface WriteBehindOptions<Row> {
  clock: Pick<Clock, 'after'>
  /** Writes all rows or none. */
  write: (rows: Row[]) => Promise<unknown>
  /** Weight of a row for `batch` and `bound`; default 1. */
  weigh?: (row: Row) => number
  /** Maximum weight of one write, plus at most one entry. */
  batch: number
  /**
   * Maximum weight of waiting entries while the disk refuses writes. Above it the oldest entries are dropped.
   */
  bound: number
  /** Entries for which this is false are never dropped and do not count for the bound. */
  mayDrop?: (row: Row) => boolean
  /** Called at the first of several consecutive refusals. */
  onRefused: (error: unknown) => void
  /** Called when all entries are written again; `dropped` entries are lost. */
  onRecovered: (dropped: number) => void
  /** Called when the first entry is dropped. */
  onDropped?: () => void
}

export interface WriteBehind<Row> {
  /**
   * Queues rows that belong in one transaction. If `rows` is a function, it is called just before the write,
   * which spreads the work of a storm. With the key of a waiting entry, the rows replace that entry at its
   * position.
   */
  put(rows: readonly Row[] | (() => readonly Row[]), key?: unknown): void
  /** The waiting rows of a key. */
  waiting(key: unknown): readonly Row[] | undefined
  remove(key: unknown): void
  /**
   * Resolves when the disk has accepted or refused everything that was waiting at the call. Never rejects for
   * a refusal.
   */
  flush(): Promise<void>
  /** The error of the last write; undefined when it succeeded. */
  refusal(): unknown
  /** Ends the retries. */
  stop(): void
}

interface Entry<Row> {
  make: () => readonly Row[]
  rows?: readonly Row[]
}

/** Writes entries in order and in batches. Refused entries wait and are retried, within a bound. */
export function createWriteBehind<Row>(options: WriteBehindOptions<Row>): WriteBehind<Row> {
  const { clock, write, weigh = () => 1, batch, bound, mayDrop = () => true } = options
  const { onRefused, onRecovered, onDropped = () => {} } = options
  /** in the order of writing */
  const entries = new Map<unknown, Entry<Row>>()
  // A refused batch waits at the front, so no newer entry reaches the disk before it.
  const mutex = createMutex()
  let refusal: unknown
  let dropped = 0
  let cancelRetry = () => {}
  let isStopped = false

  const weightOf = (rows: readonly Row[]) => rows.reduce((sum, row) => sum + weigh(row), 0)
  const flush = () => mutex(writeAll)

  async function writeAll(): Promise<void> {
    cancelRetry()
    const keys = [...entries.keys()]
    try {
      for (let at = 0; at < keys.length;) {
        const taken = new Map<unknown, Entry<Row>>()
        for (let weight = 0; weight < batch && at < keys.length; at++) {
          const key = keys[at]
          const entry = entries.get(key)
          if (!entry) continue
          taken.set(key, entry)
          weight += weightOf(rowsOf(key, entry))
        }
        await writeSome(taken)
      }
    } catch (error) {
      return refused(error)
    }
    if (refusal !== undefined) onRecovered(dropped)
    refusal = undefined
    dropped = 0
  }

  async function writeSome(taken: ReadonlyMap<unknown, Entry<Row>>) {
    const rows = [...taken.values()].flatMap((entry) => entry.rows ?? [])
    if (rows.length > 0) await write(rows)
    // an entry that was replaced meanwhile still waits
    for (const [key, entry] of taken) if (entries.get(key) === entry) entries.delete(key)
  }

  /**
   * If the rows of an entry cannot be created, the caller has a defect. The entry is reported and removed,
   * and blocks no other.
   */
  function rowsOf(key: unknown, entry: Entry<Row>): readonly Row[] {
    try {
      return (entry.rows ??= entry.make())
    } catch (error) {
      entries.delete(key)
      onRefused(error)
      return []
    }
  }

  function refused(error: unknown) {
    const isFirst = refusal === undefined
    refusal = error
    if (isFirst) onRefused(error)
    dropOldest()
    if (!isStopped) cancelRetry = clock.after(retryMs, () => void flush())
  }

  function dropOldest() {
    const droppable = [...entries].flatMap(([key, entry]) => {
      const rows = rowsOf(key, entry)
      return rows.every(mayDrop) ? [{ key, weight: weightOf(rows) }] : []
    })
    let weight = droppable.reduce((sum, one) => sum + one.weight, 0)
    for (const one of droppable) {
      if (weight <= bound) return
      entries.delete(one.key)
      weight -= one.weight
      if (dropped++ === 0) onDropped()
    }
  }

  return {
    put(rows, key = Symbol('entry')) {
      entries.set(key, typeof rows === 'function' ? { make: rows } : { make: () => rows, rows })
    },
    waiting: (key) => entries.get(key)?.rows,
    remove: (key) => void entries.delete(key),
    flush,
    refusal: () => refusal,
    stop() {
      isStopped = true
      cancelRetry()
    },
  }
}
