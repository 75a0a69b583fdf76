import { type DeltaFrame, type RecordKind, type RecordOf, type Slice, slices } from '@pulse/contract'
import { atOnce, createWireReader, createWireWriter, jsonInSteps } from '@pulse/domain'
import type { State } from '../state/state.ts'

/** The state as a page decodes it from the frames of the compact wire. */
export interface Wire {
  records<K extends RecordKind>(kind: K): RecordOf<K>[]
}

const read = (pieces: readonly string[]) => JSON.parse(pieces.join('')) as DeltaFrame

export function wireOf(state: State): Wire {
  const seen = new Map<RecordKind, Map<string, unknown>>()
  for (const slice of slices) follow(slice)

  function follow(slice: Slice) {
    const writer = createWireWriter(slice, 'e', state.tables)
    const reader = createWireReader()
    const take = (frame: DeltaFrame) => {
      const change = reader.read(frame)
      if (change === 'gap') throw new Error('a frame does not follow the one before')
      for (const [kind, { put, remove }] of Object.entries(change.changed)) {
        const known = seen.get(kind as RecordKind) ?? new Map<string, unknown>()
        seen.set(kind as RecordKind, known)
        for (const id of remove) known.delete(id)
        for (const [id, record] of put) known.set(id, record)
      }
    }
    take(read(atOnce(writer.snapshot())))
    state.subscribe((patch) => {
      const frame = atOnce(writer.advance(patch))
      if (frame) take(read(atOnce(jsonInSteps(frame))))
    })
  }

  return {
    records: <K extends RecordKind>(kind: K) => [...(seen.get(kind)?.values() ?? [])] as RecordOf<K>[],
  }
}
