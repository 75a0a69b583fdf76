import type { AnyRecord, RecordKind } from '@pulse/contract'
import type { OnFault } from './derive/derivation.ts'
import { createDerived } from './derive/derive.ts'
import { derivations, joins } from './derive/index.ts'
import type { Observation } from './sources/observation.ts'
import { createClaims } from './state/claims.ts'
import type { KindPatch, Records, StatePatch } from './state/patch.ts'
import type { Tables } from './state/tables.ts'

/** Everything that is known, put together from what each source says. */
export interface Estate {
  readonly tables: Tables
  /** Replaces what this source said before about the kinds it names; what readers see of it. */
  observe(source: string, records: Observation['records']): StatePatch
  /** The source is gone, with all it ever said. */
  forget(source: string): StatePatch
}

/** With `onFault`, what cannot be joined is shown as it was observed; it must not observe anything itself. */
export function createEstate(joined = derivations(), onFault: OnFault = raise): Estate {
  const derived = createDerived(joined, onFault)
  const claims = createClaims(derived.observed, joins, onFault)

  function replace(source: string, pictures: Iterable<[RecordKind, Records<AnyRecord>]>): StatePatch {
    const patch: Partial<Record<RecordKind, KindPatch<AnyRecord>>> = {}
    for (const [kind, records] of pictures) {
      const change = claims.replace(source, kind, records)
      if (change) patch[kind] = change
    }
    return derived.apply(patch as StatePatch)
  }

  return {
    tables: derived.tables,
    observe: (source, records) =>
      replace(source, Object.entries(records) as [RecordKind, Records<AnyRecord>][]),
    forget(source) {
      const patch = replace(
        source,
        claims.kindsOf(source).map((kind) => [kind, new Map()]),
      )
      claims.forget(source)
      return patch
    },
  }
}

function raise(error: unknown): never {
  throw error
}
