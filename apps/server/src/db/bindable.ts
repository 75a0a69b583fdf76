/**
 * PostgreSQL has booleans of its own, which the schema does not use, its texts cannot hold NUL, and its whole numbers no
 * fractions, such as those of a monotonic clock. The schema has whole numbers only.
 */
export function bindable(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd')
  if (typeof value === 'number') return Math.round(value)
  if (value === null || typeof value === 'bigint') return value
  throw new TypeError(`a ${typeof value} cannot be stored`)
}
