import { type DeltaFrame, kindsOf, type Slice } from '@pulse/contract'
import { createWireReader, type WireReader } from '@pulse/domain'
import type { LiveStore } from './store.ts'

export interface FrameOutcome {
  /** nothing could be applied: a snapshot is needed */
  gap: boolean
  snapshot: boolean
  changed: boolean
  slice: Slice
}

/** Applies the frames of one connection to the store, in the order they arrived. */
export function createFrameApplier(store: LiveStore): (frame: DeltaFrame) => FrameOutcome {
  const readers = new Map<Slice, WireReader>()
  return (frame) => {
    let reader = readers.get(frame.s)
    if (!reader) readers.set(frame.s, (reader = createWireReader()))
    const result = reader.read(frame)
    if (result === 'gap') return { gap: true, snapshot: false, changed: false, slice: frame.s }
    store.apply(result.changed, result.reset ? kindsOf(frame.s) : [])
    const changed = result.reset || Object.keys(result.changed).length > 0
    return { gap: false, snapshot: result.reset, changed, slice: frame.s }
  }
}
