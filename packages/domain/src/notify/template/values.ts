/** Data of a template: plain values. Only own properties are visible. */
export type Value =
  | string
  | number
  | boolean
  | undefined
  | null
  | UrlEscaped
  | readonly Value[]
  | { readonly [name: string]: Value }

/** Text that is already escaped for a URL. */
export class UrlEscaped {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value)
const isPlain = (value: Value): value is { readonly [name: string]: Value } =>
  typeof value === 'object' && value !== null && !isList(value) && !(value instanceof UrlEscaped)

/** Never returns an inherited property, such as the constructor. */
export function fieldOf(value: Value, name: string): Value {
  return isPlain(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

export function entryOf(value: Value, key: Value): Value {
  if (isList(value))
    return typeof key === 'number' && Number.isInteger(key) && key >= 0 ? value[key] : undefined
  return typeof key === 'string' ? fieldOf(value, key) : undefined
}

export function lengthOf(value: Value): number {
  if (isList(value)) return value.length
  if (isPlain(value)) return Object.keys(value).length
  return textOf(value).length
}

export const listOf = (value: Value): readonly Value[] => (isList(value) ? value : [])

/** As in Go: missing, zero, empty and false are false. */
export function isTrue(value: Value): boolean {
  if (value instanceof UrlEscaped) return value.text !== ''
  if (isList(value) || isPlain(value)) return lengthOf(value) > 0
  return Boolean(value)
}

export function textOf(value: Value): string {
  if (value === undefined || value === null) return ''
  if (value instanceof UrlEscaped) return value.text
  if (typeof value === 'string') return value.toWellFormed()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Negative, zero or positive; undefined if the two cannot be compared. */
export function compared(a: Value, b: Value): number | undefined {
  const [left, right] = [comparable(a), comparable(b)]
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left === 'string' && typeof right === 'string') return left === right ? 0 : left < right ? -1 : 1
  return left === right ? 0 : undefined
}

const comparable = (value: Value): Value => (value instanceof UrlEscaped ? value.text : (value ?? undefined))
