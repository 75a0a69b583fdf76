import type { AnyRecord, RecordKind } from '@pulse/contract'
import type { OnFault } from './derive/derivation.ts'
import { createDerived } from './derive/derive.ts'
import { derivations, joins } from './derive/index.ts'
import type { Observation } from './sources/observation.ts'
import { createClaims } from './state/claims.ts'
import { type KindPatch, mergePatches, type Records, type StatePatch } from './state/patch.ts'
import type { Tables } from './state/tables.ts'

/** Everything that is known, put together from what each source says. */
export interface Estate {
  readonly tables: Tables
  /** Replaces what this source said before about the kinds it names; what readers see of it. */
  observe(source: string, records: Observation['records']): StatePatch
  /** The same in steps of some hundred records, others may speak in between; each is a patch of its own. */
  observeInSteps(source: string, records: Observation['records']): Generator<StatePatch, void>
  /** The source is gone, with all it ever said. */
  forget(source: string): StatePatch
}

/** Changed records that are taken in before others have their turn: about a millisecond. */
const recordsPerStep = 500

type Pictures = Iterable<[RecordKind, Records<AnyRecord>]>

/** With `onFault`, what cannot be joined is shown as it was observed; it must not observe anything itself. */
export function createEstate(
  joined = derivations(),
  onFault: OnFault = raise,
  perStep = recordsPerStep,
): Estate {
  const derived = createDerived(joined, onFault)
  const claims = createClaims(derived.observed, joins, onFault)
  /** by source: what is still being taken in of it */
  const underWay = new Map<string, Generator<StatePatch, void>>()

  /** What the source has said before and is still being taken in. */
  function finish(source: string): StatePatch {
    let patch: StatePatch = {}
    for (const one of underWay.get(source) ?? []) patch = mergePatches(patch, one)
    underWay.delete(source)
    return patch
  }

  function takeAtOnce(source: string, pictures: Pictures): StatePatch {
    const patch: Partial<Record<RecordKind, KindPatch<AnyRecord>>> = {}
    for (const [kind, records] of pictures)
      for (const change of claims.replace(source, kind, records, Infinity)) patch[kind] = change
    return derived.apply(patch as StatePatch)
  }

  /** What is little goes together. */
  function* takeInSteps(source: string, pictures: Pictures): Generator<StatePatch, void> {
    let patch: Partial<Record<RecordKind, KindPatch<AnyRecord>>> = {}
    let size = 0
    for (const [kind, records] of pictures)
      for (const change of claims.replace(source, kind, records, perStep)) {
        patch[kind] = change
        size += change.put.size + change.remove.size
        if (size < perStep) continue
        yield derived.apply(patch as StatePatch)
        patch = {}
        size = 0
      }
    if (size > 0) yield derived.apply(patch as StatePatch)
  }

  const picturesOf = (records: Observation['records']) =>
    Object.entries(records) as [RecordKind, Records<AnyRecord>][]

  return {
    tables: derived.tables,
    observe: (source, records) => mergePatches(finish(source), takeAtOnce(source, picturesOf(records))),
    *observeInSteps(source, records) {
      const steps = inOrder(underWay.get(source) ?? [], takeInSteps(source, picturesOf(records)))
      underWay.set(source, steps)
      yield* steps
      if (underWay.get(source) === steps) underWay.delete(source)
    },
    forget(source) {
      const before = finish(source)
      const kinds = claims.kindsOf(source)
      const patch = takeAtOnce(
        source,
        kinds.map((kind) => [kind, new Map()]),
      )
      claims.forget(source)
      return mergePatches(before, patch)
    },
  }
}

function* inOrder<T>(first: Iterable<T>, second: Iterable<T>): Generator<T, void> {
  yield* first
  yield* second
}

function raise(error: unknown): never {
  throw error
}
