import { guestFields } from './guest-fields.ts'
import { splitSearch } from './search.ts'
import type { Term } from './term.ts'

/** A term that cannot match any record. */
export interface DeadTerm {
  /** as parsed, in lower case */
  term: string
  field: string
  /**
   * the value is not a number; no such field; field only for comparisons; field only for text; no comparisons
   * in this search
   */
  why: 'no-number' | 'no-field' | 'only-compared' | 'only-text' | 'not-compared'
}

/** In the order of the search. */
export const deadTerms = (search: string, fields: KnownFields = guestFields): DeadTerm[] =>
  splitSearch(search).terms.flatMap((term) => dead(term, fields) ?? [])

type Names = Pick<ReadonlySet<string>, 'has'>

/** The fields of a search. */
export interface KnownFields {
  numbers: Names
  texts: Names
  forms?: Names
}

function dead(term: Term, { numbers, texts, forms }: KnownFields): DeadTerm | undefined {
  if (term.kind === 'number' && !numbers.has(term.field)) {
    const { sign, limit } = term.comparison
    return {
      term: `${term.field}${sign}${limit}`,
      field: term.field,
      why: texts.has(term.field) ? 'only-text' : 'no-field',
    }
  }
  if (term.kind === 'text' && !texts.has(term.field) && !forms?.has(term.field)) {
    return {
      term: `${term.field}:${term.text}`,
      field: term.field,
      why: numbers.has(term.field) ? 'only-compared' : 'no-field',
    }
  }
  if (term.kind !== 'raw') return undefined
  const [, field] = /^([a-z_]+)\s*[<>=]/.exec(term.text) ?? []
  return field !== undefined && numbers.has(field) ? { term: term.text, field, why: 'no-number' } : undefined
}
