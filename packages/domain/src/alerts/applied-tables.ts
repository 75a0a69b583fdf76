import type { AnyRecord, RecordKind } from '@pulse/contract'
import type { KindPatch, StatePatch } from '../state/patch.ts'
import type { MutableTables, Tables } from '../state/tables.ts'

/** The tables that the engine has applied: the live ones, or older by the queued patches. */
export class AppliedTables {
  readonly #live: Tables
  /** The object stays the same; its tables are replaced. */
  readonly tables: Tables
  #frozen: MutableTables | undefined

  constructor(live: Tables) {
    this.#live = live
    this.tables = { ...live }
  }

  /** Freezes the tables until a patch is applied. */
  freeze(): void {
    const copies = Object.entries(this.#live).map(([kind, records]) => [kind, new Map(records as never)])
    this.#frozen = Object.fromEntries(copies) as MutableTables
    Object.assign(this.tables, this.#frozen)
  }

  take(patch: StatePatch): void {
    for (const [kind, { put, remove }] of Object.entries(patch) as [RecordKind, KindPatch<AnyRecord>][]) {
      const own = this.#frozen?.[kind] as Map<string, AnyRecord> | undefined
      for (const key of remove) own?.delete(key)
      for (const [key, record] of put) own?.set(key, record)
    }
  }

  /** Every patch has been applied. */
  release(): void {
    this.#frozen = undefined
    Object.assign(this.tables, this.#live)
  }
}
