import { type DeltaFrame, kindsOf, type RecordKind, type Slice } from '@pulse/contract'
import { createLateReader, type LateReader } from '@pulse/domain'
import type { LiveStore } from './store.ts'

export interface FrameOutcome {
  /** nothing could be applied: a snapshot is needed */
  gap: boolean
  snapshot: boolean
  /** there are new figures */
  changed: boolean
  slice: Slice
}

/** What the server says about its sources and itself: no figures of theirs. */
const aboutPulse: ReadonlySet<string> = new Set<RecordKind>(['meta', 'sources'])

export interface FrameApplier {
  /** Throws when the frame is unreadable or the store cannot take it: the next of its slice is a gap then. */
  apply(frame: DeltaFrame): FrameOutcome
  /** Nobody follows the slice any more: it starts again with a snapshot. */
  forget(slice: Slice): void
}

/** Applies the frames of one connection to the store, in the order they arrived. */
export function createFrameApplier(store: LiveStore): FrameApplier {
  const readers = new Map<Slice, LateReader>()
  return {
    apply(frame) {
      const reader = readers.get(frame.s) ?? createLateReader()
      readers.delete(frame.s)
      const result = reader.read(frame)
      if (result === 'gap') {
        readers.set(frame.s, reader)
        return { gap: true, snapshot: false, changed: false, slice: frame.s }
      }
      store.apply(result.changed, result.reset ? kindsOf(frame.s) : [])
      // only now: what the store did not take counts as not read
      readers.set(frame.s, reader)
      const changed = result.reset || Object.keys(result.changed).some((kind) => !aboutPulse.has(kind))
      return { gap: false, snapshot: result.reset, changed, slice: frame.s }
    },
    forget: (slice) => void readers.delete(slice),
  }
}
