/** Reads values of another program; each value is checked before its use. */
export type Fields = Readonly<Record<string, unknown>>

export const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Undefined when empty. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Zero or more. */
export const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

export const texts = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )

/** Engines write year 1 for "never". */
export const time = (value: unknown): string | undefined => {
  const found = text(value)
  return found === undefined || found.startsWith('0001-') || !(Date.parse(found) > 0) ? undefined : found
}
