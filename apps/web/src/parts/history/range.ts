import type { Span } from '../../lib/times.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Spans that end now. */
export const ranges = [
  { value: '1h', label: '1 h', ms: hourMs },
  { value: '6h', label: '6 h', ms: 6 * hourMs },
  { value: '24h', label: '24 h', ms: dayMs },
  { value: '7d', label: '7 d', ms: 7 * dayMs },
  { value: '30d', label: '30 d', ms: 30 * dayMs },
  { value: '1y', label: '1 y', ms: 365 * dayMs },
] as const
type RecentRange = (typeof ranges)[number]['value']
export type Range = RecentRange | 'custom'

/** What the charts of a thing show. */
export interface HistoryChoice {
  range: Range
  /** epoch ms: when the range was chosen */
  chosenAt: number
  /** the times of the custom range */
  custom?: Span
  zoom?: Span
  asTable: boolean
  /** with the same time a week before */
  lastWeek?: boolean
  /** guests to compare with */
  others?: readonly string[]
}

const lengthOf = (range: Range): number => ranges.find(({ value }) => value === range)?.ms ?? hourMs

/** The span of a range that ends then. */
export const spanUntil = (range: Range, to: number): Span => ({ from: to - lengthOf(range), to })

/** The chosen times, if the charts do not follow the present. */
export function fixedSpan({ range, custom, zoom }: HistoryChoice): Span | undefined {
  return zoom ?? (range === 'custom' ? custom : undefined)
}

/**
 * The end of the chosen times decides which thing an id means, because a new guest may have the number of a deleted one.
 * A zoom and the week before are of the same thing.
 */
export const asOf = ({ range, custom }: HistoryChoice, now: number): number =>
  range === 'custom' && custom ? Math.min(custom.to, now) : now

export const weekMs = 7 * dayMs

/** A longer time would overlap the one a week before. */
export function canShowWeek(choice: HistoryChoice): boolean {
  // a second line for each of several guests is unreadable
  if (choice.others && choice.others.length > 0) return false
  const { from, to } = fixedSpan(choice) ?? spanUntil(choice.range, 0)
  return to - from <= weekMs
}

/** A sample arrives this often. */
const sampleMs = 10_000

/** How often a range that ends now has another point. */
export const refreshMs = (range: Range, points: number): number =>
  Math.max(sampleMs, Math.ceil(lengthOf(range) / points))

/** The choice after a zoom. The whole range, or more than it, is no zoom. */
export function zoomTo(choice: HistoryChoice, zoom: Span | undefined, now: number): HistoryChoice {
  const { zoom: _former, ...rest } = choice
  if (!zoom) return { ...rest, chosenAt: now }
  const { from, to } = fixedSpan(rest) ?? spanUntil(choice.range, now)
  const within = { from: Math.max(from, zoom.from), to: Math.min(to, zoom.to) }
  if (within.to <= within.from || (within.from <= from && within.to >= to)) return { ...rest, chosenAt: now }
  return { ...rest, zoom: within }
}
