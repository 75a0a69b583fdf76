/** One run of a node or guest, derived from its uptimes. Times are monotonic. */
export interface Run {
  startedAt: number
  /** the highest reported uptime in seconds, and its time */
  uptime: number
  at: number
}

/** A report delayed by this long may arrive after a newer one. */
const lateSeconds = 60
/** Uptimes have varying delays, so smaller differences do not move the start. */
const steadyMs = 5_000

/**
 * Only a decreased uptime shows a restart: reports come late, repeat and catch up. An answer slightly older
 * than the last one is no restart, because a new run cannot be that long yet.
 */
export function isRestart(known: Run | undefined, at: number, uptimeSeconds: number | undefined): boolean {
  if (!known || !uptimeSeconds || uptimeSeconds >= known.uptime) return false
  const passedSeconds = (at - known.at) / 1000
  const isOlder = known.uptime - uptimeSeconds <= lateSeconds && uptimeSeconds > passedSeconds + lateSeconds
  return !isOlder
}

/** Unchanged without an uptime. Delays make a run look shorter, so the earliest start is the nearest. */
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
