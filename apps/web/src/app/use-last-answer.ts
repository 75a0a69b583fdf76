import { useCallback, useSyncExternalStore } from 'react'
import { useLiveContext } from '../live/live.tsx'
import type { LiveReader } from '../live/store.ts'

/** An answer that changed no figure is shown this much later. */
export const lastAnswerDelayMs = 2_000

/**
 * When any source last answered, epoch ms. Our server tells it a moment before the figures of that answer; it is drawn
 * with them, in the same frame.
 */
export function useLastAnswer(): number | undefined {
  const { store } = useLiveContext()
  const subscribe = useCallback(
    (listener: () => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const show = () => {
        clearTimeout(timer)
        timer = undefined
        listener()
      }
      const stops = [
        store.onKind('nodes', show),
        store.onKind('guests', show),
        store.onKind('sources', () => void (timer ??= setTimeout(show, lastAnswerDelayMs))),
      ]
      return () => {
        clearTimeout(timer)
        for (const stop of stops) stop()
      }
    },
    [store],
  )
  return useSyncExternalStore(subscribe, () => newestAnswer(store))
}

function newestAnswer(live: LiveReader): number | undefined {
  let newest: number | undefined
  for (const { lastSeen } of live.records('sources').values()) {
    if (lastSeen !== undefined && lastSeen > (newest ?? -Infinity)) newest = lastSeen
  }
  return newest
}
