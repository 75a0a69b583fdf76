import type { Schema } from './db/schema.ts'
import type { OnSignal } from './signal.ts'

export type Table = keyof Schema

/** Rows that an area holds in memory, beside the database. */
export interface RowCache {
  /** where the rows are stored */
  tables: readonly Table[]
  /** Runs the job while nothing else changes the rows. */
  runExclusive<T>(job: () => Promise<T>): Promise<T>
  /** Reads the rows again; only called by `runExclusive`. */
  reload(): Promise<void>
}

/** The rows of these tables were changed outside of this process, or it is unknown which calls took effect; all tables by default. */
export type OnRowsChanged = OnSignal<[tables?: readonly Table[]]>

/** Keeps the caches true when something else than their own area writes to the database. */
export function reloadOnChange(
  caches: readonly RowCache[],
  onRowsChanged: OnRowsChanged,
  onError: (error: unknown) => void,
): void {
  onRowsChanged((changed) => {
    for (const cache of caches) {
      if (changed && !cache.tables.some((table) => changed.includes(table))) continue
      cache.runExclusive(() => cache.reload()).catch(onError)
    }
  })
}
