import type { RecordKind } from '@pulse/contract'
import type { ChangeBase, ChangeRow, ChangeStorage, LatestPlace, LatestRecord } from './change-storage.ts'

const keyOf = ({ kind, id }: LatestPlace) => `${kind} ${id}`
const copyOf = <T>(value: T): T => structuredClone(value)

/** A storage in memory. What it holds outlives the log, like a file outlives a process. */
export function memoryChanges(): ChangeStorage & { all(): { rows: ChangeRow[]; chunks: number } } {
  const latest = new Map<string, LatestPlace & LatestRecord>()
  let rows: ChangeRow[] = []
  let chunks: { base: number; kind: RecordKind; body: string }[] = []
  let bases: ChangeBase[] = []
  let lastId = 0
  const places = () => [...latest.values()].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  return {
    all: () => ({ rows, chunks: chunks.length }),
    latest: (kind, id) => copyOf(latest.get(keyOf({ kind, id }))),
    latestOf: (kind) => places().filter((one) => one.kind === kind),
    latestAfter: (place, most) =>
      places()
        .filter((one) => !place || keyOf(one) > keyOf(place))
        .slice(0, most),
    write(row, changed) {
      rows.push({ ...row, id: ++lastId })
      for (const [place, record] of changed)
        if (record) latest.set(keyOf(place), copyOf({ ...place, ...record }))
        else latest.delete(keyOf(place))
      return lastId
    },
    rowAt: (at) => rows.findLast(({ from }) => from <= at),
    firstAt: (after) =>
      rows
        .filter(({ id }) => id > after)
        .map(({ from }) => from)
        .toSorted((a, b) => a - b)[0],
    rows: (after, upTo) => rows.filter(({ id }) => id > after && id <= upTo),
    noticesBefore: (part, before, from, to, most) =>
      rows
        .filter((row) => row.id < before && row[part] && row.from < to && row.to >= from)
        .toReversed()
        .slice(0, most)
        .map((row) => ({ id: row.id, text: row[part] })),
    lastRow: () => lastId,
    sizeAfter: (after) => rows.filter(({ id }) => id > after).reduce((sum, { body }) => sum + body.length, 0),
    putChunk: (base, kind, body) => void chunks.push({ base, kind, body }),
    chunks: (base, kind) =>
      chunks.filter((one) => one.base === base && one.kind === kind).map(({ body }) => body),
    finishBase: (base) => void bases.push(base),
    bases: () => bases,
    dropRows(upTo, most) {
      const old = rows.filter(({ id }) => id <= upTo).slice(0, most)
      rows = rows.filter((row) => !old.includes(row))
      return old.length < most
    },
    dropBases(kept, most) {
      bases = bases.filter(({ id }) => kept.includes(id))
      const old = chunks.filter(({ base }) => !kept.includes(base)).slice(0, most)
      chunks = chunks.filter((chunk) => !old.includes(chunk))
      return old.length < most
    },
  }
}
