import type { AnyRecord, RecordKind } from '@pulse/contract'
import { type Frame, NamedIds } from '@pulse/domain'

export interface Bounds {
  records: number
  /** as JSON */
  bytes: number
}

/**
 * Twice a backup server with 200,000 backups, which is the limit of Pulse: a new base may have other ids than the one
 * before.
 */
const usual: Bounds = { records: 500_000, bytes: 192 * 1024 * 1024 }

type FrameRecords = [RecordKind, { put: [string, AnyRecord][]; remove: string[] }][]
const recordsIn = ({ records }: Frame) => Object.entries(records) as FrameRecords

/** The sizes of records, by kind and id. */
class Sizes {
  readonly #kinds = new Map<RecordKind, Map<string, number>>()
  readonly #most: Bounds
  #records = 0
  #bytes = 0

  constructor(most: Bounds) {
    this.#most = most
  }

  get isTooMuch(): boolean {
    return this.#records > this.#most.records || this.#bytes > this.#most.bytes
  }

  get records(): number {
    return this.#records
  }

  put(kind: RecordKind, id: string, record: AnyRecord) {
    this.drop(kind, id)
    const ids = this.#kinds.get(kind) ?? new Map<string, number>()
    this.#kinds.set(kind, ids)
    const size = id.length + JSON.stringify(record).length
    ids.set(id, size)
    this.#records++
    this.#bytes += size
  }

  drop(kind: RecordKind, id: string) {
    const ids = this.#kinds.get(kind)
    const size = ids?.get(id)
    if (size === undefined) return
    ids!.delete(id)
    this.#records--
    this.#bytes -= size
  }

  idsOf(kind: RecordKind): Iterable<string> {
    return this.#kinds.get(kind)?.keys() ?? []
  }

  clear() {
    this.#kinds.clear()
    this.#records = this.#bytes = 0
  }
}

/**
 * Bounds what a reader of frames keeps of one source since its base began. Throws if that is too much; then it takes no
 * frame until a base begins.
 */
export function createBaseBound(most = usual) {
  const sizes = new Sizes(most)
  let isOver = false

  function lose() {
    sizes.clear()
    isOver = true
  }

  return {
    take(frame: Frame) {
      if (frame.begins) {
        sizes.clear()
        isOver = false
      }
      for (const [kind, { put, remove }] of isOver ? [] : recordsIn(frame)) {
        for (const [id, record] of put) sizes.put(kind, id, record)
        for (const id of remove) sizes.drop(kind, id)
      }
      if (sizes.isTooMuch) lose()
      if (isOver) throw new RangeError('a source has too many records')
    },
    /** The reader has lost what it had. */
    lose,
    /** number of records that it knows */
    get records(): number {
      return sizes.records
    },
  }
}

/**
 * Follows what the state has of one source, frame by frame: also what a base left behind that never became complete. Each
 * frame is one that the state has applied. False: the state has too much, and has to forget the source.
 */
export function createHoldings(most = usual): (frame: Frame) => boolean {
  const held = new Sizes(most)
  let named: NamedIds | undefined
  let last: Pick<Frame, 'run' | 'sequence'> | undefined

  return (frame) => {
    // the state has it already
    if (frame.run === last?.run && frame.sequence <= last.sequence) return true
    last = { run: frame.run, sequence: frame.sequence }
    if (frame.begins) named = new NamedIds()
    for (const [kind, { put, remove }] of recordsIn(frame)) {
      for (const [id, record] of put) held.put(kind, id, record)
      for (const id of remove) held.drop(kind, id)
      named?.note(kind, put, remove)
    }
    if (frame.completes) {
      for (const kind of named?.kinds() ?? [])
        for (const id of named!.missingOf(kind, held.idsOf(kind))) held.drop(kind, id)
      named = undefined
    }
    return !held.isTooMuch
  }
}

/** Holdings of several sources. */
export function createForeignHoldings(most = usual) {
  const sources = new Map<string, (frame: Frame) => boolean>()
  return {
    /** False: the state has too much of the frame's source. */
    take(frame: Frame): boolean {
      const take = sources.get(frame.source) ?? createHoldings(most)
      sources.set(frame.source, take)
      return take(frame)
    },
    forget: (source: string) => void sources.delete(source),
  }
}
