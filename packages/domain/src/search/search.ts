import { compileComparisons } from './comparison.ts'
import { type Comparison, parseTerm, type Term } from './term.ts'
import { termSet } from './term-set.ts'

/** Separates values that are searched together. Terms never contain control characters. */
export const SEPARATOR = '\0'

type Read<Subject extends readonly unknown[], Value> = (...subject: Subject) => Value | undefined

/** The searchable values of a record, and of the context that is passed with it. */
export interface SearchFields<Subject extends readonly unknown[]> {
  /** by lower-case name; undefined: unknown, so no comparison matches */
  numbers: ReadonlyMap<string, Read<Subject, number>>
  /** by lower-case name; each value of a list is searched separately */
  texts: ReadonlyMap<string, Read<Subject, string>>
  /** by lower-case name: fields that interpret the text after the colon themselves */
  forms?: ReadonlyMap<string, (sought: string) => (...subject: Subject) => boolean>
  /** searched by a plain term of a comma list */
  plain: Read<Subject, string>
  /** searched by a plain term of an AND/OR expression */
  raw: Read<Subject, string>
}

/**
 * The search boxes have two grammars, and the text decides which one applies:
 *
 * - With a standalone AND or OR (any case) the whole text is an expression. The first operator joins all its
 *   terms; a comma means the same operator. A term that is not a filter is searched in the raw text of a
 *   record.
 * - Without an operator, commas separate the terms. All filters must match. Of the other terms at least one
 *   must occur in the plain text of a record.
 *
 * A filter is `field op number` or `field:text` (see `term.ts`). A filter that is still being typed (`cpu>`,
 * `node:`) is ignored, so that the list does not become empty between two keystrokes. Empty text matches
 * everything.
 */
export function compileSearch<Subject extends readonly unknown[]>(
  text: string,
  fields: SearchFields<Subject>,
): (...subject: Subject) => boolean {
  const { operator, terms } = splitSearch(text)
  if (operator) return combine(fields, terms, operator === 'and' ? 'all' : 'any')

  const filters = terms.filter((term) => term.kind !== 'raw' || isStructured(term.text))
  const words = terms.flatMap((term) => (term.kind === 'raw' && !isStructured(term.text) ? [term.text] : []))
  const holds = combine(fields, filters, 'all')
  if (words.length === 0) return holds
  const occurs = textTest(fields.plain, words, 'any')
  return (...subject) => occurs(...subject) && holds(...subject)
}

const isStructured = (text: string): boolean => /[<>:]/.test(text)

/** A standalone operator counts only next to a term: `or` alone is the start of a word. */
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

/**
 * One test per field instead of one per term, so that the cost per guest does not grow with the number of
 * terms.
 */
function combine<Subject extends readonly unknown[]>(
  fields: SearchFields<Subject>,
  terms: readonly Term[],
  mode: 'all' | 'any',
): (...subject: Subject) => boolean {
  const texts = new Map<Read<Subject, string>, string[]>()
  const numbers = new Map<Read<Subject, number>, Comparison[]>()
  const forms: ((...subject: Subject) => boolean)[] = []
  let unknownField = false
  for (const term of terms) {
    if (term.kind === 'raw') push(texts, fields.raw, term.text)
    else if (term.kind === 'text') {
      const form = fields.forms?.get(term.field)
      const field = fields.texts.get(term.field)
      if (form) forms.push(form(term.text))
      else if (field) push(texts, field, term.text)
      else unknownField = true
    } else if (term.kind === 'number') {
      const field = fields.numbers.get(term.field)
      if (field) push(numbers, field, term.comparison)
      else unknownField = true
    }
  }
  if (terms.length === 0) return () => true
  if (unknownField && mode === 'all') return () => false

  const tests = [
    ...[...numbers].map(([field, comparisons]) => numberTest(field, comparisons, mode)),
    ...[...texts].map(([field, sought]) => textTest(field, sought, mode)),
    ...forms,
  ]
  return mode === 'all'
    ? (...subject) => tests.every((test) => test(...subject))
    : (...subject) => tests.some((test) => test(...subject))
}

/** Whether all, or any, of the lower-case texts occur in the field. */
export function textTest<Subject extends readonly unknown[]>(
  field: Read<Subject, string>,
  sought: readonly string[],
  mode: 'all' | 'any',
): (...subject: Subject) => boolean {
  const [only] = sought
  if (only !== undefined && sought.length === 1) {
    return (...subject) =>
      field(...subject)
        ?.toLowerCase()
        .includes(only) ?? false
  }
  const set = termSet(sought)
  return (...subject) => {
    const text = field(...subject)
    return text !== undefined && set[mode](text.toLowerCase())
  }
}

function numberTest<Subject extends readonly unknown[]>(
  field: Read<Subject, number>,
  comparisons: readonly Comparison[],
  mode: 'all' | 'any',
): (...subject: Subject) => boolean {
  const holds = compileComparisons(comparisons, mode)
  return (...subject) => {
    const value = field(...subject)
    return value !== undefined && holds(value)
  }
}

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
