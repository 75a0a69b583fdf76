import { useCallback, useSyncExternalStore } from 'react'
import { useLiveContext } from '../live/live.tsx'
import type { LiveReader } from '../live/store.ts'

/** An answer that changed no figure is shown this much later: the next poll brings some, and a frame to draw it in. */
export const lastAnswerDelayMs = 12_000

/** Between two polls single figures come, most of them of what is not in sight: no frame is asked for to say when. */
export const lastAnswerGapMs = 5_000

/** Whose records come with a poll. Those of container hosts come all the time where there are many. */
const polled = ['nodes', 'guests', 'pbs', 'pmg'] as const

/**
 * When any source last answered, epoch ms. Our server tells it a moment before the figures of that answer; it is drawn
 * with them, in the same frame. A few figures that come soon after wait for the next.
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
