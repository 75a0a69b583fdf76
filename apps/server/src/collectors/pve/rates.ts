/** Two counters that are read together: in and out, or read and written. */
export type Counters = readonly [number, number]

interface Sample {
  at: number
  counters: Counters
}

export interface RateWindow {
  /** which report the counters are from; another one starts again */
  origin: string
  samples: readonly Sample[]
  /** bytes per second; absent until two samples exist */
  rates: Counters | undefined
}

const longest = 4
const longestMs = 60_000
/** Counters that stand still this long are those of an idle guest, not of a report that is late. */
const idleMs = 60_000
/** Measured every ten seconds at most, so two listings that are nearer tell of a time that neither knows. */
const nearestMs = 5_000
/** Bytes a second that no machine moves: one of the counters was wrong. */
const impossible = 1e12

/** The rates over the last samples: PVE refreshes its counters unevenly, so two neighbours would jump. */
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
    (counters[0] - first.counters[0]) / seconds,
    (counters[1] - first.counters[1]) / seconds,
  ]
  return Math.max(...rates) < impossible ? { origin, samples, rates } : fresh
}
