import type { Span } from '../../lib/times.ts'

/** A shorter span has too few samples for a chart. */
const shortestMs = 60_000

/** Half or twice the span, around the moment; at least a minute. */
export function zoomed({ from, to }: Span, factor: 0.5 | 2, at = (from + to) / 2): Span {
  const lengthMs = Math.max(shortestMs, (to - from) * factor)
  // the moment stays where it is on the chart
  const share = Math.min(1, Math.max(0, (at - from) / (to - from)))
  const begin = Math.round(at - share * lengthMs)
  return { from: begin, to: begin + Math.round(lengthMs) }
}

/** The span that was drawn with the pointer; around its middle if it is shorter than a minute. */
export function drawnSpan(one: number, other: number): Span {
  const [from, to] = [Math.min(one, other), Math.max(one, other)]
  const middle = (from + to) / 2
  const half = Math.max(shortestMs, to - from) / 2
  return { from: Math.round(middle - half), to: Math.round(middle + half) }
}
