/** Whether a known value satisfies `op number`. */
export type Comparison = (value: number) => boolean

/** One term of a search, in lower case. */
export type Term =
  | { kind: 'number'; field: string; comparison: Comparison }
  | { kind: 'text'; field: string; text: string }
  | { kind: 'raw'; text: string }
  /** a filter whose value is still missing */
  | { kind: 'unfinished' }

const EQUALITY_TOLERANCE = 0.01
/** Keeps 80.01 within 0.01 of 80 although their difference is a hair more in binary. */
const ROUNDING = 1e-9

const equal = (a: number, b: number): boolean => Math.abs(a - b) <= EQUALITY_TOLERANCE + ROUNDING

/** Longest first: `>` must not take the head of `>=`. */
const operators: readonly [string, (value: number, limit: number) => boolean][] = [
  ['>=', (value, limit) => value >= limit],
  ['<=', (value, limit) => value <= limit],
  ['==', equal],
  ['>', (value, limit) => value > limit],
  ['<', (value, limit) => value < limit],
  ['=', equal],
]

/** `field op number`, else `field:text`, else the text itself. The text comes trimmed and in lower case. */
export function parseTerm(text: string): Term {
  const field = text.slice(0, fieldLength(text))
  if (field === '') return { kind: 'raw', text }
  const rest = text.slice(field.length).trimStart()

  const operator = operators.find(([sign]) => rest.startsWith(sign))
  if (operator) {
    const [sign, compare] = operator
    const value = rest.slice(sign.length).trim()
    if (value === '') return { kind: 'unfinished' }
    const limit = parseNumber(value)
    if (limit !== undefined) return { kind: 'number', field, comparison: (v) => compare(v, limit) }
    return { kind: 'raw', text }
  }
  if (rest.startsWith(':')) {
    const sought = rest.slice(1).trim()
    return sought === '' ? { kind: 'unfinished' } : { kind: 'text', field, text: sought }
  }
  return { kind: 'raw', text }
}

function fieldLength(text: string): number {
  let length = 0
  while (length < text.length && /[a-z_]/.test(text.charAt(length))) length++
  return length
}

/** A percent sign may follow: `cpu>80%`. */
function parseNumber(text: string): number | undefined {
  const digits = text.endsWith('%') ? text.slice(0, -1).trimEnd() : text
  return /^-?(?:\d+(?:\.\d*)?|\.\d+)$/.test(digits) ? Number(digits) : undefined
}
