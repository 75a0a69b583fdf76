import { startTransition, useEffect, useState } from 'react'
import { useLiveContext } from '../../live/live.tsx'
import type { BackupIndexer } from './backup-index.ts'

/** Records that are looked at between two breaths. */
const STEP = 4_000

/** Whether every backup of the slice that is `held` was looked at; the page answers meanwhile. */
export function useWarmed(indexOf: BackupIndexer, held: boolean): boolean {
  const { store } = useLiveContext()
  const [ready, setReady] = useState(false)
  useEffect(() => {
    if (!held || ready) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const step = () => {
      if (indexOf.warm(store, STEP) === 'done') startTransition(() => setReady(true))
      else timer = setTimeout(step)
    }
    step()
    return () => clearTimeout(timer)
  }, [indexOf, store, held, ready])
  return ready
}
