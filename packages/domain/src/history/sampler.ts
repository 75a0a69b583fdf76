import { type Figure, type FigureUnit, figures, type RecordKind } from '@pulse/contract'
import type { OnFault } from '../derive/derivation.ts'
import { raise } from '../raise.ts'
import type { Tables } from '../state/tables.ts'
import { STEP } from '../wire/in-steps.ts'
import { precisionOf } from './precision.ts'
import type { Column } from './segment.ts'
import { absent, mostStored } from './series.ts'

/** A figure with history. Its number in the store never changes. */
export interface SampledField {
  kind: RecordKind
  name: string
  unit: FigureUnit
}

/** All figures that the catalogue marks as sampled, by kind. */
export const sampledFields: readonly SampledField[] = Object.entries(figures).flatMap(([kind, ofKind]) =>
  Object.entries(ofKind as Record<string, Figure<never>>)
    .filter(([, { history }]) => history !== undefined)
    .map(([name, { unit }]) => ({ kind: kind as RecordKind, name, unit })),
)

interface Sampled {
  source?: string
  staleSince?: number | undefined
}

export interface SamplerEdges {
  tables: Tables
  /** the number of a field in the store */
  numberOf: (field: SampledField) => number
  /** the number of a thing of that kind in the store; undefined: not sampled yet */
  thingOf: (kind: RecordKind, id: string) => number | undefined
  /** A record cannot be sampled; the others are. Absent: it ends the tick. */
  onFault?: OnFault
}

/**
 * Takes one sample of every figure with history. A figure that has not changed is sampled too, as long as its
 * source has answered since the last tick.
 */
export class Sampler {
  readonly #edges: SamplerEdges
  readonly #kinds: {
    kind: RecordKind
    isUp: Read | undefined
    fields: { number: number; sample: Sample; evenStopped: boolean }[]
  }[]
  /** by source: its last answer at the last tick */
  #answers = new Map<string, number>()

  constructor(edges: SamplerEdges) {
    this.#edges = edges
    const byKind = Map.groupBy(sampledFields, ({ kind }) => kind)
    this.#kinds = [...byKind].map(([kind, fields]) => {
      const ofKind = figures[kind as keyof typeof figures] as unknown as Record<string, Figure<object>>
      return {
        kind,
        isUp: ofKind['up']?.read,
        fields: fields.map((field) => ({
          number: edges.numberOf(field),
          sample: sampleBy(ofKind[field.name]!),
          evenStopped: ofKind[field.name]!.evenStopped === true,
        })),
      }
    })
  }

  /** In steps of some hundred records. */
  *tick(): Generator<void, Column[]> {
    const { tables, thingOf, onFault = raise } = this.#edges
    const answers = new Map([...tables.sources].map(([id, { lastSeen }]) => [id, lastSeen]))
    const hasNews = (source: string | undefined) =>
      source === undefined || answers.get(source) !== this.#answers.get(source)
    const columns: Column[] = []
    for (const { kind, isUp, fields } of this.#kinds) {
      const things: number[] = []
      const values: number[][] = fields.map(() => [])
      let done = 0
      for (const [id, record] of tables[kind] as ReadonlyMap<string, Sampled>) {
        if (++done % STEP === 0) yield
        const gap = gapOf(record, isUp)
        const silence = gapOf(record, undefined)
        if (gap === undefined && !hasNews(record.source)) continue
        const thing = thingOf(kind, id)
        if (thing === undefined) continue
        try {
          for (const [n, { sample, evenStopped }] of fields.entries())
            values[n]![things.length] = (evenStopped ? silence : gap) ?? sample(record)
          things.push(thing)
        } catch (error) {
          for (const column of values) column.length = things.length
          onFault(error)
        }
      }
      if (things.length === 0) continue
      // The copy to the thread of a plain array goes number by number.
      const numbers = Uint32Array.from(things)
      for (const [n, { number }] of fields.entries())
        columns.push({ field: number, things: numbers, values: Float64Array.from(values[n]!) })
    }
    this.#answers = new Map([...answers].flatMap(([id, at]) => (at === undefined ? [] : [[id, at]])))
    return columns
  }
}

type Read = (record: object) => number | boolean | undefined
type Sample = (record: object) => number

/** Stale data is no sample, and neither are the zeros of something that is not running. */
export function gapOf(record: Sampled, isUp: Read | undefined): number | undefined {
  if (isUp?.(record) === false) return absent.stopped
  return record.staleSince === undefined ? undefined : absent.silent
}

function sampleBy({ read, isStale, unit }: Figure<object>): Sample {
  const { toStored } = precisionOf[unit]
  return (record) => {
    const value = read(record)
    if (value === undefined) return absent.skipped
    if (isStale?.(record)) return absent.silent
    const stored = toStored(Number(value))
    return Math.abs(stored) <= mostStored ? stored : absent.skipped
  }
}
