const firstMs = 5_000
const mostMs = 5 * 60_000
const longestAskedMs = 60 * 60_000

/**
 * How long is waited after so many failures in a row: twice as long each time, and by chance up to half less, so that all
 * agents of a server that was away do not come back at the same moment. A server that says how long is listened to.
 */
export function backOffMs(failures: number, askedMs: number | undefined, random: () => number): number {
  const wantedMs = Math.min(mostMs, firstMs * 2 ** (failures - 1)) * (0.5 + random() / 2)
  if (askedMs === undefined) return wantedMs
  return Math.max(Math.min(askedMs, longestAskedMs) * (1 + random() / 10), wantedMs)
}

/** Seconds; a date is not used by the servers that are reported to. */
export function retryAfterMs(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined
}
