import type { ChangeBase, ChangeRow, ChangeStorage, LatestPlace } from './change-storage.ts'
import { dayMs, startOf } from './tiers.ts'

/** A base is made early when the rows since the last one are this much longer than it, so that reading stays fast. */
const mostSinceBase = { least: 4_000_000, ofBase: 2 }
const chunksPerStep = 200

/** Whether a day has begun since the base, or much was written. */
export function isBaseDue(storage: ChangeStorage, { at, lastRow, size }: ChangeBase, now: number): boolean {
  const written = storage.sizeAfter(lastRow)
  if (written === 0) return false
  return (
    startOf(at, dayMs) !== startOf(now, dayMs) || written > mostSinceBase.least + mostSinceBase.ofBase * size
  )
}

/** Copies all records as they are, in steps. Rows may be written between the steps. */
export function* makeBase(
  storage: ChangeStorage,
  id: number,
  now: number,
  recordsPerChunk: number,
): Generator<void, void> {
  // chunks of a base whose making was interrupted
  const kept = storage.bases().map((base) => base.id)
  while (!storage.dropBases(kept, chunksPerStep)) yield
  const firstRow = storage.lastRow()
  let size = 0
  let place: LatestPlace | undefined
  for (;;) {
    const records = storage.latestAfter(place, recordsPerChunk)
    for (const [kind, own] of Map.groupBy(records, (record) => record.kind)) {
      const body = JSON.stringify(own.map((record) => [record.id, record.fields]))
      size += body.length
      storage.putChunk(id, kind, body)
    }
    if (records.length < recordsPerChunk) break
    const { kind, id: lastId } = records.at(-1)!
    place = { kind, id: lastId }
    yield
  }
  const lastRow = storage.lastRow()
  const last = lastRow === firstRow ? undefined : storage.rowAt(Infinity)
  storage.finishBase({ id, firstRow, lastRow, at: Math.max(now, last?.to ?? now), size })
}

/**
 * The newest base at or before `limit` with nothing younger before it. A base that a clock made which was set back looks
 * old; what was written before it is not. One from a clock that was ahead says nothing.
 */
export function lastTooOld(
  bases: readonly ChangeBase[],
  present: number,
  limit: number,
): ChangeBase | undefined {
  const firstYoung = bases.findIndex(({ at }) => at > limit && at <= present)
  return (firstYoung < 0 ? bases : bases.slice(0, firstYoung)).findLast(({ at }) => at <= limit)
}

/** The newest base that was complete at that row and moment. */
export function baseFor(
  bases: readonly ChangeBase[],
  row: Pick<ChangeRow, 'id' | 'to'> | undefined,
  moment: number,
): ChangeBase | undefined {
  const [first] = bases
  if (!row) return first && first.at <= moment && first.firstRow === first.lastRow ? first : undefined
  return bases.findLast(({ lastRow }) => lastRow < row.id || (lastRow === row.id && row.to <= moment))
}
