import type { RecordKind } from '@pulse/contract'
import type { Change, ChangeBase, ChangeStorage } from './change-storage.ts'
import { type Fields, withChange } from './logged-fields.ts'

export interface PastEdges {
  storage: Pick<ChangeStorage, 'rows' | 'chunks'>
  base: ChangeBase
  /** the last row that counts, and its last change */
  lastRow: number
  until: number
  /** changes after the last row */
  open: readonly Change[]
}

/** What all changes since the base did to a record. */
interface Merged {
  /** the record came again since; undefined: it is the record of the base */
  whole?: Fields | undefined
  set: Fields
  isGone: boolean
}

/** All records of one moment. A base and the changes after it are read kind by kind. */
export class PastRecords {
  readonly #edges: PastEdges
  readonly #changes = new Map<RecordKind, Map<string, Merged>>()

  constructor(edges: PastEdges) {
    this.#edges = edges
    const { storage, base, lastRow, until, open } = edges
    for (const { id, body } of storage.rows(base.firstRow, lastRow))
      for (const change of JSON.parse(body) as Change[]) {
        if (id === lastRow && change[0] > until) break
        this.#take(change)
      }
    for (const change of open) this.#take(change)
  }

  *of(kind: RecordKind): Generator<[id: string, record: Fields], void> {
    const changes = this.#changes.get(kind) ?? new Map<string, Merged>()
    const inBase = new Set<string>()
    for (const body of this.#edges.storage.chunks(this.#edges.base.id, kind))
      for (const [id, record] of JSON.parse(body) as [string, Fields][]) {
        const change = changes.get(id)
        if (change) inBase.add(id)
        if (!change) yield [id, record]
        else if (!change.isGone) yield [id, withChange(change.whole ?? record, change.set)]
      }
    for (const [id, { whole, set, isGone }] of changes)
      if (whole && !isGone && !inBase.has(id)) yield [id, withChange(whole, set)]
  }

  /** Changes have values, not differences, so those that the base has already do no harm. */
  #take([, kind, id, isWhole, fields]: Change) {
    let ofKind = this.#changes.get(kind)
    if (!ofKind) this.#changes.set(kind, (ofKind = new Map()))
    if (isWhole) ofKind.set(id, { whole: fields ?? undefined, set: {}, isGone: fields === null })
    else {
      const known = ofKind.get(id)
      if (!known) ofKind.set(id, { set: { ...fields }, isGone: false })
      else Object.assign(known.set, fields)
    }
  }
}
