import { useCallback, useSyncExternalStore } from 'react'
import { useLiveContext } from '../live/live.tsx'
import type { LiveReader } from '../live/store.ts'

/**
 * An answer without changed data appears after this delay, so that it shares a frame with the next poll's
 * data.
 */
export const lastAnswerDelayMs = 12_000

/** Single changes between two polls do not update the time at once, because most of them are out of view. */
export const lastAnswerGapMs = 5_000

/** Kinds that change with a poll. Container hosts are excluded, because many of them report all the time. */
const polled = ['nodes', 'guests', 'pbs', 'pmg'] as const

/**
 * When a source last answered, epoch ms. The server sends this just before the data of that answer. One frame
 * draws both.
 */
export function useLastAnswer(): number | undefined {
  const { store } = useLiveContext()
  const subscribe = useCallback(
    (listener: () => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      let shownAt = -Infinity
      const show = () => {
        clearTimeout(timer)
        timer = undefined
        shownAt = performance.now()
        listener()
      }
      const showLater = () => void (timer ??= setTimeout(show, lastAnswerDelayMs))
      const onFigures = () => (performance.now() - shownAt < lastAnswerGapMs ? showLater() : show())
      const stops = [
        ...polled.map((kind) => store.onKind(kind, onFigures)),
        store.onKind('sources', showLater),
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
