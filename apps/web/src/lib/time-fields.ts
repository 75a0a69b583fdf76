import type { Span } from './times.ts'
/** The text of a field of date and time, in the browser's time zone. */
export function toFieldText(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** The span between two fields, or why it is none. */
export function readSpan(from: string, to: string): Span | string {
  const [start, end] = [Date.parse(from), Date.parse(to)]
  if (Number.isNaN(start) || Number.isNaN(end)) return 'Enter date and time in both fields.'
  if (start < 0) return 'Enter a start after 1970.'
  return start < end ? { from: start, to: end } : 'The start must be before the end.'
}
