import * as z from 'zod/mini'
import { SourceError } from '../source-error.ts'

/** Perl may send a number as 1 or "1", and also as an empty string or not at all. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
  return Math.min(number, Number.MAX_SAFE_INTEGER)
}

const longestText = 1_000
/** Copies the text: a slice would keep the whole text in memory, possibly a megabyte. */
export const cutText = (value: string, most: number): string =>
  value.length > most ? Buffer.from(value.slice(0, most)).toString() : value
export const toText = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? cutText(value, longestText)
    : typeof value === 'number'
      ? String(value)
      : undefined

export const tolerant = <T>(read: (value: unknown) => T) => z.optional(z.pipe(z.unknown(), z.transform(read)))
export const num = tolerant(toNumber)
/** counters, sizes and counts */
export const toBytes = (value: unknown): number | undefined => {
  const number = toNumber(value)
  return number === undefined ? undefined : Math.max(0, number)
}
export const bytes = tolerant(toBytes)
/** in seconds, at most a century */
export const toUptime = (value: unknown): number | undefined => {
  const seconds = toNumber(value)
  return seconds !== undefined && seconds >= 0 && seconds < 100 * 366 * 86_400 ? seconds : undefined
}
export const uptime = tolerant(toUptime)
export const text = tolerant(toText)
const longestList = 200_000
/** Comma-separated names or numbers. In a large cluster the list is far longer than `longestText`. */
export const nameList = tolerant((value): string[] => {
  if (typeof value === 'number') return [String(value)]
  return typeof value === 'string'
    ? value
        .slice(0, longestList)
        .split(/[,;\s]+/)
        .filter(Boolean)
    : []
})
export const toFlag = (value: unknown): boolean | undefined => {
  const number = toNumber(value)
  return number === undefined ? undefined : number !== 0
}
export const flag = tolerant(toFlag)
export const tolerantList = <T>(schema: z.ZodMiniType<T>) =>
  tolerant((value): T[] => (Array.isArray(value) ? value.flatMap((entry) => valid(schema, entry)) : []))
export const tolerantObject = <T>(schema: z.ZodMiniType<T>) =>
  tolerant((value): T | undefined => valid(schema, value)[0])

/** Names become parts of paths and keys, so they are validated. */
const nodeNames = /^[A-Za-z0-9][A-Za-z0-9.-]{0,62}$/
export const nodeName = z.string().check(z.regex(nodeNames))
export const isNodeName = (value: unknown): value is string =>
  typeof value === 'string' && nodeNames.test(value)

/** Paths to privileges. The value says whether one propagates. Empty for an account without rights. */
export const Permissions = z.record(z.string(), z.record(z.string(), z.unknown()))
export type Permissions = z.infer<typeof Permissions>

export const Version = z.object({ version: text, release: text })
export const Ticket = z.object({ ticket: text, NeedTFA: flag })

/** The valid entries of a list. `what` names the call in the error. */
export function readList<T>(schema: z.ZodMiniType<T>, data: unknown, what: string): T[] {
  if (Array.isArray(data)) return data.flatMap((entry) => valid(schema, entry))
  throw new SourceError('bad_answer', `${what}: the answer is not a list`)
}

const entriesPerStep = 500

/** The same for a long list, in steps that yield to the event loop. */
export function* readInSteps<T>(
  schema: z.ZodMiniType<T>,
  data: unknown,
  what: string,
): Generator<void, T[], undefined> {
  const all: unknown[] = Array.isArray(data) ? data : readList(schema, data, what)
  const read: T[] = []
  for (let from = 0; from < all.length; from += entriesPerStep) {
    if (from > 0) yield
    for (const entry of all.slice(from, from + entriesPerStep)) read.push(...valid(schema, entry))
  }
  return read
}

/** Agents and containers send null or a single object when there is nothing to list. */
export const readLooseList = <T>(schema: z.ZodMiniType<T>, data: unknown): T[] =>
  Array.isArray(data) ? data.flatMap((entry) => valid(schema, entry)) : []

export function readOne<T>(schema: z.ZodMiniType<T>, data: unknown, what: string): T {
  const parsed = schema.safeParse(data)
  if (parsed.success) return parsed.data
  throw new SourceError('bad_answer', `${what}: the answer is not what this call returns`, {
    cause: parsed.error,
  })
}

function valid<T>(schema: z.ZodMiniType<T>, data: unknown): T[] {
  const parsed = schema.safeParse(data)
  return parsed.success ? [parsed.data] : []
}
