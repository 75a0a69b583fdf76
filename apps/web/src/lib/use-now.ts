import { useCallback, useRef, useSyncExternalStore } from 'react'

interface Ticker {
  now: number
  timer: ReturnType<typeof setInterval>
  listeners: Set<() => void>
}

const tickers = new Map<number, Ticker>()

function join(everyMs: number, listener: () => void): () => void {
  let ticker = tickers.get(everyMs)
  if (!ticker) {
    const started: Ticker = {
      now: Date.now(),
      listeners: new Set(),
      timer: setInterval(() => {
        started.now = Date.now()
        for (const one of started.listeners) one()
      }, everyMs),
    }
    tickers.set(everyMs, (ticker = started))
  }
  const joined = ticker
  joined.listeners.add(listener)
  return () => {
    joined.listeners.delete(listener)
    if (joined.listeners.size > 0 || tickers.get(everyMs) !== joined) return
    clearInterval(joined.timer)
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
