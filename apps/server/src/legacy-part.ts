import * as z from 'zod/mini'

/** What is taken over of an export of Pulse 4.x; what does not fit is left out and named. */
export interface Taken<T> {
  taken: T
  notes: string[]
}

/** How a part reads what Pulse 4.x called by another name, or wrote in another form. */
export interface LegacyPart<T = unknown> {
  /** of that file */
  field: string
  /** Undefined is taken for nothing at all. */
  take(value: unknown): Taken<T | undefined>
}

/** A field that is not what it should be counts as not there. */
export const lenient = z.catch
export const text = lenient(z.string(), '')

export type Fields = Record<string, unknown>
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
