import type { RecordKind } from '@pulse/contract'
import { useMemo, useSyncExternalStore } from 'react'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import { type BackupIndexer, indexKinds } from './backup-index.ts'

interface Selection<T> {
  kinds?: readonly RecordKind[]
  isEqual?: (a: T, b: T) => boolean
}

/** A selector that reads the index: it is run again too when the index is another one after steps. */
export function useIndexed<T>(
  indexOf: BackupIndexer,
  select: (live: LiveReader) => T,
  { kinds = indexKinds, isEqual }: Selection<T> = {},
): T {
  const rounds = useSyncExternalStore(indexOf.subscribe, indexOf.rounds)
  // a selector that is another one is run again
  const ofRound = useMemo(() => ({ rounds, select: (live: LiveReader) => select(live) }), [select, rounds])
  return useLive(kinds, ofRound.select, isEqual)
}
