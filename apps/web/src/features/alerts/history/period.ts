const HOUR_MS = 3_600_000

export const periods = [
  { value: '24h', label: '24h', hours: 24, limit: 2_000 },
  { value: '7d', label: '7d', hours: 168, limit: 10_000 },
  { value: '30d', label: '30d', hours: 720, limit: 10_000 },
  { value: 'all', label: 'All', hours: undefined, limit: 0 },
] as const

export type Period = (typeof periods)[number]['value']

/** Parameters of the history call; `now` is epoch ms. */
export function historyQuery(period: string, now: number): { limit: number; startTime?: string } {
  const known = periods.find(({ value }) => value === period)
  if (!known) return { limit: 1_000 }
  if (known.hours === undefined) return { limit: known.limit }
  return { limit: known.limit, startTime: new Date(now - known.hours * HOUR_MS).toISOString() }
}
