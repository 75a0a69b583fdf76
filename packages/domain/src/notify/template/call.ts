import type { FunctionName } from './tree.ts'
import { compared, entryOf, isTrue, lengthOf, textOf, UrlEscaped, type Value } from './values.ts'

/** All functions but `and` and `or`, which evaluate only the arguments they need. */
export function call(name: Exclude<FunctionName, 'and' | 'or'>, args: readonly Value[]): Value {
  const [first, second] = args
  switch (name) {
    case 'not':
      return !isTrue(first)
    case 'eq':
      return args.slice(1).some((other) => compared(first, other) === 0)
    case 'ne':
      return compared(first, second) !== 0
    case 'lt':
      return (compared(first, second) ?? 1) < 0
    case 'le':
      return (compared(first, second) ?? 1) <= 0
    case 'gt':
      return (compared(first, second) ?? -1) > 0
    case 'ge':
      return (compared(first, second) ?? -1) >= 0
    case 'index':
      return args.slice(1).reduce((value, key) => entryOf(value, key), first)
    case 'len':
      return lengthOf(first)
    case 'printf':
      return printf(textOf(first), args.slice(1))
    case 'title':
      return titled(textOf(first))
    case 'upper':
      return textOf(first).toUpperCase()
    case 'lower':
      return textOf(first).toLowerCase()
    case 'urlquery':
    case 'urlencode':
      return new UrlEscaped(escapedForUrl(textOf(first)).replaceAll('%20', '+'))
    case 'urlpath':
    case 'pathescape':
      return new UrlEscaped(pathSegment(textOf(first)))
  }
}

/** First letter upper case, the rest lower case. */
function titled(text: string): string {
  const [first = ''] = text
  return first.toUpperCase() + text.slice(first.length).toLowerCase()
}

/** Keeps letters, digits and -._~. */
export const escapedForUrl = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** One path segment: dots alone would lead to another path, escaped or not. */
export const pathSegment = (text: string): string =>
  /^\.{1,2}$/.test(text) ? '_'.repeat(text.length) : escapedForUrl(text)

const verb = /%([-+ 0#]{0,5})(\d{0,2})(?:\.(\d{0,2}))?([a-zA-Z%])/g

/** `%s %v %d %f %g %e %q %t %x %%` with width and precision up to 99. */
function printf(format: string, args: readonly Value[]): string {
  let used = 0
  return format.replace(
    verb,
    (_, flags: string, width: string, precision: string | undefined, kind: string) => {
      if (kind === '%') return '%'
      if (used >= args.length) return `%!${kind}(MISSING)`
      const value = args[used++]
      const text = shown(value, kind, precision === undefined ? undefined : Number(precision), flags)
      return padded(text, Number(width), flags, typeof value === 'number')
    },
  )
}

function shown(value: Value, kind: string, precision: number | undefined, flags: string): string {
  const sign = flags.includes('+') && typeof value === 'number' && value >= 0 ? '+' : ''
  const isNumber = typeof value === 'number'
  switch (kind) {
    case 's':
    case 'v':
      return sign + cut(textOf(value), precision)
    case 'd':
      return isNumber ? sign + String(Math.trunc(value)) : wrong(kind, value)
    case 'f':
    case 'F':
      return isNumber ? sign + value.toFixed(precision ?? 6) : wrong(kind, value)
    case 'e':
      return isNumber ? sign + value.toExponential(precision ?? 6) : wrong(kind, value)
    case 'g':
      return isNumber
        ? sign + (precision ? String(Number(value.toPrecision(precision))) : String(value))
        : wrong(kind, value)
    case 't':
      return typeof value === 'boolean' ? String(value) : wrong(kind, value)
    case 'q':
      return JSON.stringify(textOf(value))
    case 'x':
      return isNumber ? Math.trunc(value).toString(16) : wrong(kind, value)
    default:
      return wrong(kind, value)
  }
}

const cut = (text: string, precision: number | undefined): string =>
  precision === undefined ? text : [...text].slice(0, precision).join('')

const wrong = (kind: string, value: Value): string => `%!${kind}(${textOf(value)})`

function padded(text: string, width: number, flags: string, isNumber: boolean): string {
  if (flags.includes('-')) return text.padEnd(width)
  if (!flags.includes('0') || !isNumber) return text.padStart(width)
  const [, sign = '', digits = text] = /^([+-]?)(.*)$/s.exec(text) ?? []
  return sign + digits.padStart(width - sign.length, '0')
}
