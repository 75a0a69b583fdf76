import type { Guest } from '@pulse/contract'
import { compileComparisons } from './comparison.ts'
import {
  type GuestMoment,
  type NumberField,
  numberFields,
  plainText,
  rawText,
  type TextField,
  textFields,
} from './guest-fields.ts'
import { type Comparison, parseTerm, type Term } from './term.ts'
import { termSet } from './term-set.ts'

export type GuestPredicate = (guest: Guest, at: GuestMoment) => boolean

/**
 * The search box of the Overview. It knows two grammars and the text decides which one applies:
 *
 * - With a standalone AND or OR (any case) the whole text is an expression. The first operator joins all its terms;
 *   a comma joins like that operator. A term that is no filter is looked up in name, vmid, node, status and tags.
 * - Without one, commas separate the terms. Filters must all hold; of the other terms at least one must occur in
 *   name, vmid, node or status.
 *
 * A filter is `field op number` or `field:text` (see `term.ts`). One that is still being typed (`cpu>`, `node:`) is
 * left out, so that the list does not run empty between two keys. Empty text matches everything.
 */
export function compileGuestSearch(text: string): GuestPredicate {
  const { operator, terms } = splitSearch(text)
  if (operator) return combine(terms, operator === 'and' ? 'all' : 'any')

  const filters = terms.filter((term) => term.kind !== 'raw' || isStructured(term.text))
  const words = terms.flatMap((term) => (term.kind === 'raw' && !isStructured(term.text) ? [term.text] : []))
  const holds = combine(filters, 'all')
  if (words.length === 0) return holds
  const occurs = textTest(plainText, words, 'any')
  return (guest, at) => occurs(guest, at) && holds(guest, at)
}

const isStructured = (text: string): boolean => /[<>:]/.test(text)

/** Standalone operators count only beside a term: `or` alone is the beginning of a word. */
export function splitSearch(text: string): { operator: 'and' | 'or' | undefined; terms: Term[] } {
  const words = text.toLowerCase().replaceAll('\0', ' ').replaceAll(',', ' , ').split(/\s+/)
  const operator = words.find((word) => word === 'and' || word === 'or')
  if (operator) {
    const terms = joinBetween(words, (word) => word === 'and' || word === 'or' || word === ',')
    if (terms.length > 0) return { operator, terms: parseAll(terms) }
  }
  return { operator: undefined, terms: parseAll(joinBetween(words, (word) => word === ',')) }
}

function joinBetween(words: readonly string[], separates: (word: string) => boolean): string[] {
  const groups: string[][] = [[]]
  for (const word of words) {
    if (separates(word)) groups.push([])
    else if (word !== '') groups.at(-1)?.push(word)
  }
  return groups.filter((group) => group.length > 0).map((group) => group.join(' '))
}

const parseAll = (terms: readonly string[]): Term[] =>
  terms.map(parseTerm).filter((term) => term.kind !== 'unfinished')

/** One test per field rather than one per term: the cost for a guest does not grow with the number of terms. */
function combine(terms: readonly Term[], mode: 'all' | 'any'): GuestPredicate {
  const texts = new Map<TextField, string[]>()
  const numbers = new Map<NumberField, Comparison[]>()
  let unknownField = false
  for (const term of terms) {
    if (term.kind === 'raw') push(texts, rawText, term.text)
    else if (term.kind === 'text') {
      const field = textFields.get(term.field)
      if (field) push(texts, field, term.text)
      else unknownField = true
    } else if (term.kind === 'number') {
      const field = numberFields.get(term.field)
      if (field) push(numbers, field, term.comparison)
      else unknownField = true
    }
  }
  if (terms.length === 0) return () => true
  if (unknownField && mode === 'all') return () => false

  const tests = [
    ...[...numbers].map(([field, comparisons]) => numberTest(field, comparisons, mode)),
    ...[...texts].map(([field, sought]) => textTest(field, sought, mode)),
  ]
  return mode === 'all'
    ? (guest, at) => tests.every((test) => test(guest, at))
    : (guest, at) => tests.some((test) => test(guest, at))
}

function textTest(field: TextField, sought: readonly string[], mode: 'all' | 'any'): GuestPredicate {
  const [only] = sought
  if (only !== undefined && sought.length === 1) {
    return (guest) => field(guest)?.toLowerCase().includes(only) ?? false
  }
  const set = termSet(sought)
  return (guest) => {
    const text = field(guest)
    return text !== undefined && set[mode](text.toLowerCase())
  }
}

function numberTest(
  field: NumberField,
  comparisons: readonly Comparison[],
  mode: 'all' | 'any',
): GuestPredicate {
  const holds = compileComparisons(comparisons, mode)
  return (guest, at) => {
    const value = field(guest, at)
    return value !== undefined && holds(value)
  }
}

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
