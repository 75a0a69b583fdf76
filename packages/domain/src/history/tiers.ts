export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const quarterMs = 15 * minuteMs
export const dayMs = 24 * hourMs

/** From the samples as polled to days, each coarser one made from the one before. */
export const tiers = ['raw', 'minute', 'quarter', 'day'] as const
export type Tier = (typeof tiers)[number]
export type BucketTier = Exclude<Tier, 'raw'>

export const bucketMs: Record<BucketTier, number> = { minute: minuteMs, quarter: quarterMs, day: dayMs }
/** The time that one tile covers. */
export const blockMs: Record<Tier, number> = {
  raw: hourMs,
  minute: hourMs,
  quarter: dayMs,
  day: 512 * dayMs,
}

/** How long each tier is kept, by default; undefined: without end. */
export const usualKeepMs: Record<Tier, number | undefined> = {
  raw: dayMs,
  minute: 14 * dayMs,
  quarter: 400 * dayMs,
  day: undefined,
}

export const startOf = (at: number, lengthMs: number): number => Math.floor(at / lengthMs) * lengthMs
