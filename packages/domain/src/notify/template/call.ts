import { printf } from './printf.ts'
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
