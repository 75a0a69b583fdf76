import type { AnyRecord, RecordKind, SourceState } from '@pulse/contract'
import type { Observation } from '@pulse/domain'
import { runYielding } from '../timing/yield.ts'

type Records = ReadonlyMap<string, AnyRecord>
type Health = 'unknown' | 'error'

/** Records that are marked before the event loop is yielded to. */
const recordsPerStep = 500

/** What the watch of a connection published last. */
export interface Published {
  records: Observation['records']
  state: SourceState | undefined
}

/**
 * The records of a watch that was replaced. The new address or account has confirmed none of them, so they are stale
 * from the change on, and as unreachable as their source, until the new watch publishes its own.
 */
export class PreviousRecords {
  readonly #records: readonly [RecordKind, Records][]
  readonly #shown: Pick<SourceState, 'lastSeen' | 'listedAt'>
  readonly #staleSince: number
  /** by the health that they show, so that a repeated one keeps its identity */
  readonly #marked = new Map<Health, Promise<Observation['records']>>()

  constructor({ records, state }: Published, now: number) {
    const { lastSeen, listedAt, staleSince } = state ?? {}
    this.#records = Object.entries(records) as [RecordKind, Records][]
    this.#shown = { ...(lastSeen !== undefined && { lastSeen }), ...(listedAt !== undefined && { listedAt }) }
    this.#staleSince = staleSince ?? listedAt ?? lastSeen ?? now
  }

  /** What to show while the new watch has said no more than how the source is doing. */
  async behind({ source, state }: Observation & { state: SourceState }): Promise<Observation> {
    const health = state.health === 'error' ? 'error' : 'unknown'
    const records = this.#marked.get(health) ?? runYielding(this.#mark(health))
    this.#marked.set(health, records)
    return {
      source,
      records: await records,
      state: { ...this.#shown, ...state, staleSince: this.#staleSince },
    }
  }

  *#mark(connectionHealth: Health): Iterator<void, Observation['records'], undefined> {
    const marked: Partial<Record<RecordKind, Records>> = {}
    for (const [kind, records] of this.#records) {
      const next = new Map<string, AnyRecord>()
      for (const [id, record] of records) {
        next.set(id, this.#stale(record, connectionHealth))
        if (next.size % recordsPerStep === 0) yield
      }
      marked[kind] = next
    }
    return marked as Observation['records']
  }

  /** A node that its cluster called off stays off. */
  #stale(record: AnyRecord, connectionHealth: Health): AnyRecord {
    const before = record as { staleSince?: number; connectionHealth?: string }
    const isJudged = before.connectionHealth !== undefined && before.connectionHealth !== 'offline'
    return {
      ...record,
      staleSince: before.staleSince ?? this.#staleSince,
      ...(isJudged && { connectionHealth }),
    } as AnyRecord
  }
}
