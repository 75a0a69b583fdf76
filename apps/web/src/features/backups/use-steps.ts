import { startTransition, useEffect, useState } from 'react'
import { useLiveContext } from '../../live/live.tsx'
import { type BackupIndexer, indexKinds, recordsPerStep } from './backup-index.ts'

/**
 * Has the index describe in steps what is due, at first and whenever much has changed; the page answers between two of
 * them. Whether every backup of the slice that is `held` was described once.
 */
export function useSteps(indexOf: BackupIndexer, held: boolean): boolean {
  const { store } = useLiveContext()
  const [ready, setReady] = useState(false)
  useEffect(() => {
    if (!held) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const step = () => {
      timer = undefined
      if (indexOf.step(store, recordsPerStep) === 'more') wake()
      else startTransition(() => setReady(true))
    }
    const wake = () => {
      timer ??= setTimeout(step)
    }
    step()
    const stops = indexKinds.map((kind) => store.onKind(kind, wake))
    return () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [indexOf, store, held])
  return ready
}
