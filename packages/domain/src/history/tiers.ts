import { systemDefaults, type SystemSettings } from '@pulse/contract'

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

/** The longest month and year. */
const monthMs = 31 * dayMs
const yearMs = 366 * dayMs

/** How long each tier is kept; undefined: without end. */
export interface KeepMs {
  raw: number
  minute: number
  quarter: number
  day: number | undefined
}

type Lengths = Pick<
  SystemSettings,
  'historyRawHours' | 'historyMinuteDays' | 'historyQuarterHourMonths' | 'historyDayYears'
>

export const keepMsOf = (settings: Lengths): KeepMs => ({
  raw: settings.historyRawHours * hourMs,
  minute: settings.historyMinuteDays * dayMs,
  quarter: settings.historyQuarterHourMonths * monthMs,
  day: settings.historyDayYears === 0 ? undefined : settings.historyDayYears * yearMs,
})

/** How long each tier reaches back. What was removed before a tier was to be kept for longer does not come back. */
export function reachMs(keep: KeepMs, removedUntil: Partial<Record<Tier, number>>, now: number): KeepMs {
  const least = <T>(tier: Tier, set: T) => {
    const until = removedUntil[tier]
    // What a clock that was ahead has written was removed by its dates; the present is not among them.
    return until === undefined || until > now ? set : Math.min(Number(set ?? Infinity), now - until)
  }
  return {
    raw: least('raw', keep.raw),
    minute: least('minute', keep.minute),
    quarter: least('quarter', keep.quarter),
    day: least('day', keep.day),
  }
}

/** The defaults of the settings. */
export const usualKeepMs: KeepMs = keepMsOf(systemDefaults)

export const startOf = (at: number, lengthMs: number): number => Math.floor(at / lengthMs) * lengthMs
