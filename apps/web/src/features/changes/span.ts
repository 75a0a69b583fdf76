import type { Span } from '../../lib/times.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export const ranges = [
  { value: 'hour', label: 'Last hour' },
  { value: 'yesterday', label: 'Since yesterday' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
  { value: 'custom', label: 'Custom' },
] as const
export type ChangesRange = (typeof ranges)[number]['value']

/** The span of a range that ends now. Yesterday begins at its local midnight. */
export function spanOf(range: ChangesRange, now: number): Span {
  // what happens while the page loads belongs to it
  const to = now + 60_000
  if (range === 'hour') return { from: now - hourMs, to }
  if (range === 'week') return { from: now - 7 * dayMs, to }
  if (range === 'month') return { from: now - 30 * dayMs, to }
  const today = new Date(now)
  return { from: new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1).getTime(), to }
}
