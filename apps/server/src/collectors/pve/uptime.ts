/** Recomputed from an uptime that lags by up to 10 s, so it only moves when it really moved. */
export function steadyStart(
  known: number | undefined,
  at: number,
  uptimeSeconds: number | undefined,
): number | undefined {
  if (!uptimeSeconds || uptimeSeconds <= 0) return undefined
  const startedAt = Math.round(at - uptimeSeconds * 1000)
  return known !== undefined && Math.abs(startedAt - known) <= 15_000 ? known : startedAt
}
