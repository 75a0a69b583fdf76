import { useCallback, useRef, useSyncExternalStore } from 'react'
import { useMoment } from './moment.tsx'

interface Ticker {
  now: number
  /** monotonic ms of the last tick */
  at: number
  timer: ReturnType<typeof setTimeout>
  /** a live update was drawn since the last tick, so the next tick waits to share its frame */
  sharesFrames: boolean
  listeners: Set<() => void>
}

const tickers = new Map<number, Ticker>()

function tick(ticker: Ticker, intervalMs: number): void {
  clearTimeout(ticker.timer)
  ticker.now = Date.now()
  ticker.at = performance.now()
  // a longer wait lets the next tick share the frame of the next update
  const wait = ticker.sharesFrames ? intervalMs * SHARED_FRAME_FACTOR : intervalMs
  ticker.sharesFrames = false
  // set before the listeners run: the last one may unsubscribe, and an error in one must not stop the ticker
  ticker.timer = setTimeout(() => tick(ticker, intervalMs), wait)
  for (const one of ticker.listeners) one()
}

const SHARED_FRAME_FACTOR = 1.25
/** Tickers with a shorter interval tick on time. */
const SHORTEST_SHARED_MS = 5_000

/** A live update draws a frame now. Tickers past half of their interval tick in it, to save a frame. */
export function tickInFrame(): void {
  for (const [intervalMs, ticker] of tickers) {
    if (intervalMs < SHORTEST_SHARED_MS) continue
    ticker.sharesFrames = true
    if (performance.now() - ticker.at > intervalMs / 2) tick(ticker, intervalMs)
  }
}

function subscribeTicker(intervalMs: number, listener: () => void): () => void {
  let ticker = tickers.get(intervalMs)
  if (!ticker) {
    const started: Ticker = {
      now: Date.now(),
      at: performance.now(),
      timer: setTimeout(() => tick(started, intervalMs), intervalMs),
      sharesFrames: false,
      listeners: new Set(),
    }
    tickers.set(intervalMs, (ticker = started))
  }
  const joined = ticker
  joined.listeners.add(listener)
  return () => {
    joined.listeners.delete(listener)
    if (joined.listeners.size > 0 || tickers.get(intervalMs) !== joined) return
    clearTimeout(joined.timer)
    tickers.delete(intervalMs)
  }
}

/**
 * Maps the time (epoch ms) with `view` every `intervalMs`, and re-renders only if the result differs. All
 * users of an interval share a timer and get the same time. A page of the past gets its moment.
 */
export function useNow<T extends string | number | boolean | undefined>(
  intervalMs: number,
  view: (now: number) => T,
): T {
  const first = useRef<number | undefined>(undefined)
  const moment = useMoment()
  const isPast = moment !== undefined
  const subscribe = useCallback(
    (listener: () => void) => (isPast ? () => {} : subscribeTicker(intervalMs, listener)),
    [intervalMs, isPast],
  )
  return useSyncExternalStore(subscribe, () =>
    view(moment ?? tickers.get(intervalMs)?.now ?? (first.current ??= Date.now())),
  )
}
