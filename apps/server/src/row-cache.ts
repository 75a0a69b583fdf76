import type { Schema } from './db/schema.ts'
import type { OnSignal } from './signal.ts'

export type Table = keyof Schema

/** Database rows that an area keeps in memory. */
export interface RowCache {
  /** where the rows are stored */
  tables: readonly Table[]
  /** Runs the job while no other job changes the rows. */
  runExclusive<T>(job: () => Promise<T>): Promise<T>
  /** Reads the rows again; called only inside `runExclusive`. */
  reload(): Promise<void>
}

/**
 * The rows of these tables were changed outside of this process, or some calls have an unknown result; all
 * tables by default. `reading` gets what resolves when a cache has read its rows again, and rejects if it could not.
 */
export type OnRowsChanged = OnSignal<[tables?: readonly Table[], reading?: Promise<void>[]]>

/** Reloads caches after a write to the database from outside their own area. */
export function reloadOnChange(
  caches: readonly RowCache[],
  onRowsChanged: OnRowsChanged,
  onError: (error: unknown) => void,
): void {
  onRowsChanged((changed, reading = []) => {
    for (const cache of caches) {
      if (changed && !cache.tables.some((table) => changed.includes(table))) continue
      const read = cache.runExclusive(() => cache.reload())
      read.catch(onError)
      reading.push(read)
    }
  })
}
