/** Two counters that are read together: in and out, or read and written. */
export type Counters = readonly [number, number]

interface Sample {
  at: number
  counters: Counters
}

export interface RateWindow {
  /** the report with the counters; another one restarts the window */
  origin: string
  samples: readonly Sample[]
  /** whole bytes per second, which are shorter to send and store; absent until two samples exist */
  rates: Counters | undefined
}

const longest = 4
const longestMs = 60_000
/** Counters unchanged for this long belong to an idle guest, not to a late report. */
const idleMs = 60_000
/** PVE measures at most every ten seconds, so the time between two closer listings is not exact. */
const nearestMs = 5_000
/** Bytes per second that no machine reaches: one of the counters was wrong. */
const impossible = 1e12

/** Uses the last samples. PVE updates counters unevenly, so rates of two neighbours would jump. */
export function addSample(
  window: RateWindow | undefined,
  origin: string,
  at: number,
  counters: Counters,
): RateWindow {
  const fresh: RateWindow = { origin, samples: [{ at, counters }], rates: undefined }
  const last = window?.samples.at(-1)
  if (!window || !last || window.origin !== origin) return fresh
  if (at - last.at < nearestMs) return window
  if (counters[0] < last.counters[0] || counters[1] < last.counters[1]) {
    return { ...fresh, rates: [0, 0] } // restarted: the counters began at 0 again
  }
  if (counters[0] === last.counters[0] && counters[1] === last.counters[1]) {
    const idle = window.rates?.[0] === 0 && window.rates[1] === 0
    return at - last.at <= idleMs && !idle ? window : { ...fresh, rates: [0, 0] }
  }
  const samples = [...window.samples, { at, counters }].slice(-longest)
  while (samples.length > 2 && at - samples[0]!.at > longestMs) samples.shift()
  const first = samples[0]!
  const seconds = (at - first.at) / 1000
  const rates: Counters = [
    Math.round((counters[0] - first.counters[0]) / seconds),
    Math.round((counters[1] - first.counters[1]) / seconds),
  ]
  return Math.max(...rates) < impossible ? { origin, samples, rates } : fresh
}
