import { absent, type HistoryStore, isSample, precisionOf, type RestoredField } from '@pulse/domain'
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
  ): (field: RestoredField, id: string) => FigureAt
  /** Whether Pulse ran: it samples itself at every tick. */
  hasRun(moment: number, tier: 'raw' | 'minute'): boolean
}

/** Samples of one moment. The things that had those ids then are found by the time when they went. */
export function createPastFigures(
  things: Pick<ThingFile, 'at'>,
  store: HistoryStore,
  fields: readonly Field[],
): PastFigures {
  const numbers = new Map(fields.map(({ kind, name, number }) => [`${kind} ${name}`, number]))
  /** Stored values, or why there is none. */
  function read(field: number, wanted: readonly number[], moment: number, tier: 'raw' | 'minute') {
    const from = tier === 'raw' ? moment - mostAgeMs : Math.floor(moment / minuteMs) * minuteMs - minuteMs
    return store.last(tier, field, wanted, from, moment + 1).map((stored) => {
      if (stored === absent.stopped) return 'stopped' as const
      return stored !== undefined && isSample(stored) ? stored : undefined
    })
  }

  return {
    at(kind, ids, restored, moment, tier) {
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
      for (const { figure, path } of restored) {
        const number = numbers.get(`${figure.kind} ${figure.name}`)
        if (number === undefined || wanted.length === 0) continue
        const { fromStored } = precisionOf[figure.unit]
        values.set(
          path,
          read(number, wanted, moment, tier).map((one) => (typeof one === 'number' ? fromStored(one) : one)),
        )
      }
      return ({ path }, id) => {
        const row = rowOf.get(id)
        return row === undefined ? undefined : values.get(path)?.[row]
      }
    },
    hasRun(moment, tier) {
      const field = numbers.get('meta liveClients')
      const own = things.at('meta', META_ID, moment)
      return field !== undefined && own !== undefined && read(field, [own], moment, tier)[0] !== undefined
    },
  }
}
