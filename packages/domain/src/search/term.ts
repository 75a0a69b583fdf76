export type Sign = '>' | '<' | '>=' | '<=' | '='

export interface Comparison {
  sign: Sign
  limit: number
}

/** One term of a search, in lower case. */
export type Term =
  | { kind: 'number'; field: string; comparison: Comparison }
  | { kind: 'text'; field: string; text: string }
  | { kind: 'raw'; text: string }
  /** a filter without a value yet */
  | { kind: 'unfinished' }

/** Longest first, so that `>=` is not read as `>`. */
const signs: readonly [written: string, Sign][] = [
  ['>=', '>='],
  ['<=', '<='],
  ['==', '='],
  ['>', '>'],
  ['<', '<'],
  ['=', '='],
]

/** `field op number`, else `field:text`, else plain text. The input is trimmed and in lower case. */
export function parseTerm(text: string): Term {
  const field = text.slice(0, fieldLength(text))
  if (field === '') return { kind: 'raw', text }
  const rest = text.slice(field.length).trimStart()

  const found = signs.find(([written]) => rest.startsWith(written))
  if (found) {
    const [written, sign] = found
    const value = rest.slice(written.length).trim()
    if (value === '') return { kind: 'unfinished' }
    const limit = parseNumber(value)
    if (limit !== undefined) return { kind: 'number', field, comparison: { sign, limit } }
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
