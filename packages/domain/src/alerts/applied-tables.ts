import type { AnyRecord, RecordKind } from '@pulse/contract'
import type { KindPatch, StatePatch } from '../state/patch.ts'
import type { MutableTables, Tables } from '../state/tables.ts'

/** The tables as the engine has taken them in: the live ones, or behind these by the patches that wait. */
export class SeenTables {
  readonly #live: Tables
  /** The object stays; its tables are replaced. */
  readonly tables: Tables
  #held: MutableTables | undefined

  constructor(live: Tables) {
    this.#live = live
    this.tables = { ...live }
  }

  /** From now on they stay as they are, until a patch is taken in. */
  hold(): void {
    const copies = Object.entries(this.#live).map(([kind, records]) => [kind, new Map(records as never)])
    this.#held = Object.fromEntries(copies) as MutableTables
    Object.assign(this.tables, this.#held)
  }

  take(patch: StatePatch): void {
    for (const [kind, { put, remove }] of Object.entries(patch) as [RecordKind, KindPatch<AnyRecord>][]) {
      const own = this.#held?.[kind] as Map<string, AnyRecord> | undefined
      for (const key of remove) own?.delete(key)
      for (const [key, record] of put) own?.set(key, record)
    }
  }

  /** Every patch has been taken in. */
  release(): void {
    this.#held = undefined
    Object.assign(this.tables, this.#live)
  }
}
