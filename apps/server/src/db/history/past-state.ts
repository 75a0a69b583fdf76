import { kindsOf, type RecordKind } from '@pulse/contract'
import { type ChangeLog, type Fields, restoredFields, restoreFigures, type Step } from '@pulse/domain'
import type { PastFigures } from './past-figures.ts'
import type { StateQuery } from './past-messages.ts'

type Records = NonNullable<ReturnType<ChangeLog['at']>>

/** The answer as JSON. Kinds without figures are never in memory as a whole. */
export function* pastStateJson(
  past: Records,
  figures: PastFigures,
  { at, slice, tier, oldest }: StateQuery & { oldest: number },
): Generator<Step, string> {
  const index: string[] = []
  const state: string[] = []
  const gap = (yield* figures.hasRun(at, tier)) ? {} : { gap: 'off' }
  for (const kind of kindsOf(slice)) {
    const ids: string[] = []
    const records: string[] = []
    for (const [id, record] of yield* withFigures(kind)) {
      ids.push(JSON.stringify(id))
      records.push(JSON.stringify(record))
    }
    if (ids.length === 0) continue
    index.push(`"${kind}":[${ids.join()}]`)
    state.push(`"${kind}":[${records.join()}]`)
  }
  const head = JSON.stringify({ at, oldest, ...gap }).slice(0, -1)
  const frame = JSON.stringify({ t: 'snapshot', s: slice, epoch: 'past', rev: 0 }).slice(0, -1)
  return `${head},"frame":${frame},"index":{${index.join()}},"state":{${state.join()}}}}`

  function* withFigures(kind: RecordKind): Generator<Step, Iterable<[id: string, record: Fields]>> {
    const fields = restoredFields(kind)
    if (fields.length === 0) return past.of(kind)
    const records = [...past.of(kind)]
    const ids = records.map(([id]) => id)
    restoreFigures(kind, records, yield* figures.at(kind, ids, fields, at, tier))
    return records
  }
}
