import type { PastState, RecordKind, RecordOf, Slice } from '@pulse/contract'

type Fixtures = { [K in RecordKind]?: Record<string, RecordOf<K>> }

interface Options extends Partial<Pick<PastState, 'oldest' | 'gap'>> {
  slice?: Slice
}

/** The answer of the server: the estate at a moment. */
export function aPastState(at: number, records: Fixtures = {}, { slice = 'live', ...rest }: Options = {}) {
  const kinds = Object.entries(records)
  const index = Object.fromEntries(kinds.map(([kind, byId]) => [kind, Object.keys(byId)]))
  const state = Object.fromEntries(kinds.map(([kind, byId]) => [kind, Object.values(byId)]))
  const frame = { t: 'snapshot', s: slice, epoch: 'past', rev: 0, index, state }
  return { at, oldest: 0, ...rest, frame } as unknown as PastState
}
