import type { Span } from '../../lib/times.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How far back the time machine goes. */
export const reachMs = 14 * dayMs

/** How far a key moves; undefined for a key without a meaning. */
export function stepOf(key: string, shift: boolean): number | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return shift ? -hourMs : -minuteMs
    case 'ArrowRight':
    case 'ArrowUp':
      return shift ? hourMs : minuteMs
    case 'PageUp':
      return dayMs
    case 'PageDown':
      return -dayMs
    case 'Home':
      return -Infinity
    case 'End':
      return Infinity
    default:
      return undefined
  }
}

/** The moment inside of the span. Both ends can be reached, all others are whole minutes. */
export function within({ from, to }: Span, at: number): number {
  const whole = Math.round(at / minuteMs) * minuteMs
  return Math.min(to, Math.max(from, whole))
}

/** The moment so much later, or earlier. */
export const moved = (span: Span, at: number, by: number): number =>
  within(span, Math.floor(at / minuteMs) * minuteMs + by)

/** The nearest of these moments before, or after. */
export function nextOf(moments: readonly number[], at: number, way: 'before' | 'after'): number | undefined {
  const found = moments.filter((one) => (way === 'before' ? one < at : one > at))
  if (found.length === 0) return undefined
  return way === 'before' ? Math.max(...found) : Math.min(...found)
}
