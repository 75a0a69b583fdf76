import type { RecordKind } from '@pulse/contract'
import { type Column, type IdSpan, type SampledField, sampledFields, type SampleReads } from '@pulse/domain'
import { type CallStore, createCalls } from './call.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { createQueries } from './queries.ts'
import { createRemoteReads } from './remote-reads.ts'
import { idLabel } from './series.ts'
import type { SamplesSettings } from './settings.ts'
import { type FigureLabels, figureLabels, labelBytes } from './write-request.ts'

/** What the numbers of history.db mean. */
export interface NumbersOfFile {
  fields: readonly { number: number; kind: RecordKind; name: string }[]
  /** the id of a thing */
  idOf: (kind: RecordKind, number: number) => string | undefined
  /** all ids of a thing, and the time in which each meant it */
  idSpansOf: (kind: RecordKind, number: number) => IdSpan[]
}

/** Samples in a store behind a network, for as long as a history.db is open. */
export interface SampleStore {
  reads: SampleReads
  /** `isHeld`: nothing is sent, because another process writes */
  append(at: number, columns: readonly Column[], isHeld: boolean): { lostTicks: number; error?: string }
  /** Things have other ids, or there are new ones. */
  thingsChanged(): void
}

export interface SampleStores {
  open(numbers: NumbersOfFile): SampleStore
  /** Sends what waits. Rejects if that fails. */
  close(): Promise<void>
}

export function createSampleStores(settings: SamplesSettings, edges?: { most?: number }): SampleStores {
  const call: CallStore = createCalls(settings)
  const outbox = createOutbox(call, edges)
  return { open: (numbers) => openSamples(call, outbox, numbers), close: outbox.close }
}

interface KnownField {
  field: SampledField
  labels: FigureLabels
}

function openSamples(
  call: CallStore,
  outbox: Outbox,
  { fields, idOf, idSpansOf }: NumbersOfFile,
): SampleStore {
  const known = new Map<number, KnownField>()
  for (const { number, kind, name } of fields) {
    const field = sampledFields.find((one) => one.kind === kind && one.name === name)
    if (field) known.set(number, { field, labels: figureLabels(field) })
  }
  let labels = new Map<string, Buffer | undefined>()
  let spans = new Map<string, IdSpan[]>()

  function labelOf(kind: RecordKind, thing: number): Buffer | undefined {
    const key = `${kind} ${thing}`
    if (!labels.has(key)) {
      const id = idOf(kind, thing)
      labels.set(key, id === undefined ? undefined : labelBytes('id', idLabel(id)))
    }
    return labels.get(key)
  }

  function spansOf(kind: RecordKind, thing: number): IdSpan[] {
    const key = `${kind} ${thing}`
    const found = spans.get(key) ?? idSpansOf(kind, thing)
    spans.set(key, found)
    return found
  }

  return {
    reads: createRemoteReads({
      queries: createQueries(call),
      fieldOf: (number) => known.get(number)?.field,
      spansOf,
    }),
    append(at, columns, isHeld) {
      /** All figures of a kind are of the same things. */
      const idsOf = new Map<ArrayLike<number>, Buffer[]>()
      const figures = columns.flatMap(({ field: number, things, values }) => {
        const own = known.get(number)
        if (!own) return []
        let ids = idsOf.get(things)
        if (!ids) {
          const { kind } = own.field
          ids = Array.from(things, (thing) => labelOf(kind, thing) ?? labelBytes('id', `${kind} ${thing}`))
          idsOf.set(things, ids)
        }
        return [{ labels: own.labels, ids, values }]
      })
      outbox.add(at, figures, isHeld)
      return outbox.news()
    },
    thingsChanged() {
      labels = new Map()
      spans = new Map()
    },
  }
}
