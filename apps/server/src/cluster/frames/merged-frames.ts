import type { AnyRecord, RecordKind } from '@pulse/contract'
import { type Frame, recordsPerFrame } from '@pulse/domain'

/** What the stream has kept of a source that was promised to say more by now. */
export const leastPromiseMs = 5_000

interface Merged {
  put: Map<string, AnyRecord>
  remove: Set<string>
}

type FrameRecords = [RecordKind, { put: [string, AnyRecord][]; remove: string[] }][]

/** Frames of one run, from the beginning of a base, as the fewest ones that leave the state as all of them would. */
export class MergedFrames {
  readonly #kinds = new Map<RecordKind, Merged>()
  #last: Omit<Frame, 'records' | 'begins' | 'promiseMs'>
  #promise: { ms: number; ageMs: number } | undefined
  #ageMs: number
  #count = 0

  /** of the frames */
  get count(): number {
    return this.#count
  }

  constructor(base: Frame, ageMs: number) {
    this.#last = base
    this.#ageMs = ageMs
    this.add(base, ageMs)
  }

  /** The next frame of the run. `ageMs`: how long ago it was sent. */
  add(frame: Frame, ageMs: number) {
    const { records, begins: _, promiseMs, ...report } = frame
    const { state, overdueError, completes } = this.#last
    // an error text belongs to its state
    const said = report.state
      ? {}
      : { ...(state && { state }), ...(overdueError !== undefined && { overdueError }) }
    this.#last = { ...said, ...(completes && { completes }), ...report }
    this.#ageMs = ageMs
    this.#count++
    if (promiseMs !== undefined) this.#promise = { ms: promiseMs, ageMs }
    for (const [kind, { put, remove }] of Object.entries(records) as FrameRecords) {
      const merged = this.#kinds.get(kind) ?? { put: new Map(), remove: new Set() }
      this.#kinds.set(kind, merged)
      for (const [id, record] of put) {
        merged.put.set(id, record)
        merged.remove.delete(id)
      }
      for (const id of remove) {
        merged.put.delete(id)
        merged.remove.add(id)
      }
    }
  }

  /** As large as those of a sender, with numbers up to that of the last frame. */
  *frames(): Generator<Frame, void> {
    const parts = [...this.#parts()]
    const { source, run, sequence, ...report } = this.#last
    for (const [n, records] of parts.entries()) {
      const isLast = n === parts.length - 1
      yield {
        source,
        run,
        sequence: sequence - (parts.length - 1 - n),
        ...(n === 0 && { begins: true as const }),
        ...(isLast && report),
        ...(isLast && this.#promise && { promiseMs: this.#promiseOfLast(this.#promise) }),
        records,
      }
    }
  }

  #promiseOfLast({ ms, ageMs }: { ms: number; ageMs: number }): number {
    return Math.max(ms - (ageMs - this.#ageMs), Math.min(ms, leastPromiseMs))
  }

  *#parts(): Generator<Frame['records'], void> {
    // a base names all its kinds at once
    const none = () =>
      Object.fromEntries([...this.#kinds.keys()].map((kind) => [kind, { put: [], remove: [] }])) as Record<
        string,
        { put: [string, AnyRecord][]; remove: string[] }
      >
    let part = none()
    let size = 0
    for (const [kind, { put, remove }] of this.#kinds)
      for (const [id, record] of [...put, ...[...remove].map((one) => [one] as const)]) {
        if (size++ === recordsPerFrame) {
          yield part as Frame['records']
          part = {}
          size = 1
        }
        const changes = (part[kind] ??= { put: [], remove: [] })
        if (record) changes.put.push([id, record])
        else changes.remove.push(id)
      }
    yield part as Frame['records']
  }
}
