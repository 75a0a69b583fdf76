import type { AnyRecord, RecordKind } from '@pulse/contract'
import { isEqual, type KindPatch, type StatePatch } from '../state/patch.ts'
import { emptyTables, type Tables } from '../state/tables.ts'
import type { Derivation, OnFault } from './derivation.ts'

type Loose<T> = Partial<Record<RecordKind, T>>

/**
 * The derived state between sources and readers. It takes a patch of the observed state, and returns the
 * patch for readers.
 */
export interface Derived {
  /** records as readers get them */
  readonly tables: Tables
  /** a record as observed, without added facts */
  observed(kind: RecordKind, id: string): AnyRecord | undefined
  apply(patch: StatePatch): StatePatch
}

/** Derivations are in the order of their dependencies. An error in one leaves the records unchanged. */
export function createDerived(derivations: readonly Derivation[], onFault: OnFault): Derived {
  const tables = emptyTables() as Record<RecordKind, Map<string, AnyRecord>>
  const completed = new Set(derivations.flatMap(({ completes }) => completes))
  /** Observed records that differ from the derived ones or are hidden. */
  const inputs: Loose<Map<string, AnyRecord>> = {}
  for (const kind of completed) inputs[kind] = new Map()

  const observed = (kind: RecordKind, id: string) => inputs[kind]?.get(id) ?? tables[kind].get(id)

  function take(kind: RecordKind, { put, remove }: KindPatch<AnyRecord>) {
    for (const id of remove) tables[kind].delete(id)
    for (const [id, record] of put) tables[kind].set(id, record)
  }

  /** An error in one record does not stop the others. */
  function isolated<T>(step: () => T, otherwise: T): T {
    try {
      return step()
    } catch (error) {
      onFault(error)
      return otherwise
    }
  }

  function learn(derivation: Derivation, patch: Loose<KindPatch<AnyRecord>>) {
    const touched: Loose<Set<string>> = {}
    const touch = (kind: RecordKind, id: string) => void (touched[kind] ??= new Set()).add(id)
    for (const kind of derivation.reads) {
      const change = patch[kind]
      if (!change) continue
      for (const id of change.remove) isolated(() => derivation.note(kind, id, undefined, touch), undefined)
      for (const [id, record] of change.put)
        isolated(() => derivation.note(kind, id, record, touch), undefined)
    }
    return touched
  }

  function complete(
    derivation: Derivation,
    kind: RecordKind,
    change: KindPatch<AnyRecord> | undefined,
    touched: ReadonlySet<string> | undefined,
  ): KindPatch<AnyRecord> | undefined {
    const shown: KindPatch<AnyRecord> = { put: new Map(), remove: new Set() }
    const table = tables[kind]
    const own = inputs[kind]!
    const show = (id: string, input: AnyRecord, isNew: boolean) => {
      const record = isolated<AnyRecord | undefined>(() => derivation.complete(kind, id, input), input)
      const before = table.get(id)
      if (record === undefined) {
        own.set(id, input)
        if (table.delete(id)) shown.remove.add(id)
        return
      }
      if (record === input) own.delete(id)
      else own.set(id, input)
      if (!isNew && before !== undefined && isEqual(before, record)) return
      table.set(id, record)
      shown.put.set(id, record)
    }
    for (const id of change?.remove ?? []) {
      own.delete(id)
      if (table.delete(id)) shown.remove.add(id)
    }
    for (const [id, input] of change?.put ?? []) show(id, input, true)
    for (const id of touched ?? []) {
      const input = change?.put.has(id) ? undefined : observed(kind, id)
      if (input) show(id, input, false)
    }
    return shown.put.size > 0 || shown.remove.size > 0 ? shown : undefined
  }

  return {
    tables: tables as unknown as Tables,
    observed,
    apply(patch) {
      const given = patch as Loose<KindPatch<AnyRecord>>
      const shown: Loose<KindPatch<AnyRecord>> = {}
      for (const kind of Object.keys(given) as RecordKind[]) {
        if (completed.has(kind)) continue
        take(kind, given[kind]!)
        shown[kind] = given[kind]!
      }
      for (const derivation of derivations) {
        const own = Object.fromEntries(derivation.completes.map((kind) => [kind, given[kind]]))
        const touched = learn(derivation, { ...shown, ...own })
        for (const kind of derivation.completes) {
          const change = complete(derivation, kind, given[kind], touched[kind])
          if (change) shown[kind] = change
        }
      }
      return shown as StatePatch
    },
  }
}
