import {
  absent,
  type Answer,
  answered,
  isSample,
  precisionOf,
  type RestoredField,
  type SampleReads,
  type Step,
} from '@pulse/domain'
import { META_ID, type RecordKind } from '@pulse/contract'
import type { Field } from './messages.ts'
import type { ThingFile } from './thing-file.ts'

/** A sample that is older says nothing about the moment. */
const mostAgeMs = 120_000
const minuteMs = 60_000

type FigureAt = number | 'stopped' | undefined

export interface PastFigures {
  /** The last samples of these records at a moment. */
  at(
    kind: RecordKind,
    ids: readonly string[],
    fields: readonly RestoredField[],
    moment: number,
    tier: 'raw' | 'minute',
  ): Generator<Step, (field: RestoredField, id: string) => FigureAt>
  /** Whether Pulse ran: it samples itself at every tick. */
  hasRun(moment: number, tier: 'raw' | 'minute'): Generator<Step, boolean>
}

/** Samples of one moment. The things that had those ids then are found by the time when they went. */
export function createPastFigures(
  things: Pick<ThingFile, 'at'>,
  samples: Pick<SampleReads, 'last'>,
  fields: readonly Field[],
): PastFigures {
  const numbers = new Map(fields.map(({ kind, name, number }) => [`${kind} ${name}`, number]))
  /** Stored values, or why there is none. */
  function read(field: number, wanted: readonly number[], moment: number, tier: 'raw' | 'minute') {
    const from = tier === 'raw' ? moment - mostAgeMs : Math.floor(moment / minuteMs) * minuteMs - minuteMs
    return samples.last(tier, field, wanted, from, moment + 1)
  }

  function figureOf(stored: number | undefined): FigureAt {
    if (stored === absent.stopped) return 'stopped'
    return stored !== undefined && isSample(stored) ? stored : undefined
  }

  return {
    *at(kind, ids, restored, moment, tier) {
      const rows = new Map<number, number>()
      const rowOf = new Map<string, number>()
      for (const id of ids) {
        const number = things.at(kind, id, moment)
        if (number === undefined) continue
        const row = rows.get(number) ?? rows.size
        rows.set(number, row)
        rowOf.set(id, row)
      }
      const wanted = [...rows.keys()]
      const values = new Map<string, FigureAt[]>()
      const known = restored.flatMap((one) => {
        const number = numbers.get(`${one.figure.kind} ${one.figure.name}`)
        return number === undefined || wanted.length === 0 ? [] : [{ ...one, number }]
      })
      const all = yield* answered(together(known.map(({ number }) => read(number, wanted, moment, tier))))
      for (const [n, { figure, path }] of known.entries()) {
        const { fromStored } = precisionOf[figure.unit]
        const figures = all[n]!.map(figureOf)
        values.set(
          path,
          figures.map((one) => (typeof one === 'number' ? fromStored(one) : one)),
        )
      }
      return ({ path }, id) => {
        const row = rowOf.get(id)
        return row === undefined ? undefined : values.get(path)?.[row]
      }
    },
    *hasRun(moment, tier) {
      const field = numbers.get('meta liveClients')
      const own = things.at('meta', META_ID, moment)
      if (field === undefined || own === undefined) return false
      const [stored] = yield* answered(read(field, [own], moment, tier))
      return figureOf(stored) !== undefined
    },
  }
}

/** All answers; at once, if all of them came at once. */
function together<T>(answers: Answer<T>[]): Answer<T[]> {
  return answers.some((one) => one instanceof Promise) ? Promise.all(answers) : (answers as T[])
}
