/** One run of a node or guest, as its uptimes tell. Moments are monotonic. */
export interface Run {
  startedAt: number
  /** the highest reported one, in seconds, and when */
  uptime: number
  at: number
}

/** A report that was on its way for so long may still come after a newer one. */
const lateSeconds = 60
/** Uptimes are late by different amounts: the start does not move for less. */
const steadyMs = 5_000

/**
 * A restart shows in an uptime that fell, and in nothing else: reports come late, stand still and catch up.
 * An answer that is a little older than the last one is no restart, for a new run cannot be that long already.
 */
export function isRestart(known: Run | undefined, at: number, uptimeSeconds: number | undefined): boolean {
  if (!known || !uptimeSeconds || uptimeSeconds >= known.uptime) return false
  const passedSeconds = (at - known.at) / 1000
  const isOlder = known.uptime - uptimeSeconds <= lateSeconds && uptimeSeconds > passedSeconds + lateSeconds
  return !isOlder
}

/** Without an uptime nothing is said. What is late makes a run look shorter, so the earliest start is the nearest. */
export function followRun(
  known: Run | undefined,
  at: number,
  uptimeSeconds: number | undefined,
): Run | undefined {
  if (!uptimeSeconds || uptimeSeconds <= 0) return known
  const startedAt = Math.round(at - uptimeSeconds * 1000)
  if (!known || isRestart(known, at, uptimeSeconds)) return { startedAt, uptime: uptimeSeconds, at }
  return {
    startedAt: startedAt < known.startedAt - steadyMs ? startedAt : known.startedAt,
    uptime: Math.max(known.uptime, uptimeSeconds),
    at,
  }
}
