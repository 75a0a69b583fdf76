import { useCallback, useRef, useSyncExternalStore } from 'react'

interface Ticker {
  now: number
  /** monotonic ms of the last tick */
  at: number
  timer: ReturnType<typeof setTimeout>
  /** something else was drawn since the last tick */
  company: boolean
  listeners: Set<() => void>
}

const tickers = new Map<number, Ticker>()

function tick(ticker: Ticker, everyMs: number): void {
  clearTimeout(ticker.timer)
  ticker.now = Date.now()
  ticker.at = performance.now()
  // later than others are drawn, so that the next one comes with them
  const wait = ticker.company ? everyMs * PATIENCE : everyMs
  ticker.company = false
  // before anybody hears: the last of them may leave then, and whatever fails there stops no clock
  ticker.timer = setTimeout(() => tick(ticker, everyMs), wait)
  for (const one of ticker.listeners) one()
}

const PATIENCE = 1.25
/** Seconds are counted exactly. */
const LEAST_PATIENT_MS = 5_000

/**
 * Something is drawn now: whoever waits for more than half of its time is drawn with it. A frame of its own costs more
 * than all there is to draw in it.
 */
export function tickAlong(): void {
  for (const [everyMs, ticker] of tickers) {
    if (everyMs < LEAST_PATIENT_MS) continue
    ticker.company = true
    if (performance.now() - ticker.at > everyMs / 2) tick(ticker, everyMs)
  }
}

function join(everyMs: number, listener: () => void): () => void {
  let ticker = tickers.get(everyMs)
  if (!ticker) {
    const started: Ticker = {
      now: Date.now(),
      at: performance.now(),
      timer: setTimeout(() => tick(started, everyMs), everyMs),
      company: false,
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
 * What `view` makes of the time (epoch ms), renewed at that pace; re-renders only when it differs, so it
 * should end in a text or a number. Everyone with the same pace shares one timer and one moment.
 */
export function useNow<T extends string | number | boolean | undefined>(
  everyMs: number,
  view: (now: number) => T,
): T {
  const first = useRef<number | undefined>(undefined)
  const subscribe = useCallback((listener: () => void) => join(everyMs, listener), [everyMs])
  return useSyncExternalStore(subscribe, () =>
    view(tickers.get(everyMs)?.now ?? (first.current ??= Date.now())),
  )
}
