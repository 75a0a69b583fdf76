import type { RecordKind } from '@pulse/contract'
import { useMemo, useSyncExternalStore } from 'react'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import { type BackupIndexer, indexKinds } from './backup-index.ts'

interface Selection<T> {
  kinds?: readonly RecordKind[]
  isEqual?: (a: T, b: T) => boolean
}

/** Runs a selector over the index, and again after steps have replaced the index. */
export function useIndexed<T>(
  indexOf: BackupIndexer,
  select: (live: LiveReader) => T,
  { kinds = indexKinds, isEqual }: Selection<T> = {},
): T {
  const rounds = useSyncExternalStore(indexOf.subscribe, indexOf.rounds)
  // a new function identity makes useLive run the selector again
  const ofRound = useMemo(() => ({ rounds, select: (live: LiveReader) => select(live) }), [select, rounds])
  return useLive(kinds, ofRound.select, isEqual)
}
