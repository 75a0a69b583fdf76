import { useCallback, useRef, useSyncExternalStore } from 'react'

interface Ticker {
  now: number
  /** monotonic ms of the last tick */
  at: number
  timer: ReturnType<typeof setTimeout>
  /** a live update was drawn since the last tick: the next tick waits to share its frame */
  sharesFrames: boolean
  listeners: Set<() => void>
}

const tickers = new Map<number, Ticker>()

function tick(ticker: Ticker, everyMs: number): void {
  clearTimeout(ticker.timer)
  ticker.now = Date.now()
  ticker.at = performance.now()
  // a longer wait lets the next tick share the frame of the next update
  const wait = ticker.sharesFrames ? everyMs * SHARED_FRAME_FACTOR : everyMs
  ticker.sharesFrames = false
  // armed before the listeners run: the last one may unsubscribe, and one that throws does not stop the ticker
  ticker.timer = setTimeout(() => tick(ticker, everyMs), wait)
  for (const one of ticker.listeners) one()
}

const SHARED_FRAME_FACTOR = 1.25
/** Seconds are counted exactly. */
const SHORTEST_SHARED_MS = 5_000

/** A live update draws a frame now: tickers past half of their interval tick in it and save a frame of their own. */
export function tickInFrame(): void {
  for (const [everyMs, ticker] of tickers) {
    if (everyMs < SHORTEST_SHARED_MS) continue
    ticker.sharesFrames = true
    if (performance.now() - ticker.at > everyMs / 2) tick(ticker, everyMs)
  }
}

function subscribeTicker(everyMs: number, listener: () => void): () => void {
  let ticker = tickers.get(everyMs)
  if (!ticker) {
    const started: Ticker = {
      now: Date.now(),
      at: performance.now(),
      timer: setTimeout(() => tick(started, everyMs), everyMs),
      sharesFrames: false,
      listeners: new Set(),
    }
    tickers.set(everyMs, (ticker = started))
  }
  const joined = ticker
  joined.listeners.add(listener)
  return () => {
    joined.listeners.delete(listener)
    if (joined.listeners.size > 0 || tickers.get(everyMs) !== joined) return
    clearTimeout(joined.timer)
    tickers.delete(everyMs)
  }
}

/**
 * Maps the time (epoch ms) with `view` every `everyMs` and re-renders only when the result differs. All users of one
 * interval share a timer and see the same time.
 */
export function useNow<T extends string | number | boolean | undefined>(
  everyMs: number,
  view: (now: number) => T,
): T {
  const first = useRef<number | undefined>(undefined)
  const subscribe = useCallback((listener: () => void) => subscribeTicker(everyMs, listener), [everyMs])
  return useSyncExternalStore(subscribe, () =>
    view(tickers.get(everyMs)?.now ?? (first.current ??= Date.now())),
  )
}
