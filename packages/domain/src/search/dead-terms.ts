import { numberFields, textFields } from './guest-fields.ts'
import { splitSearch } from './guest-search.ts'
import type { Term } from './term.ts'

/** A term that matches no guest, whatever guests there are. */
export interface DeadTerm {
  /** as it was understood: in lower case */
  term: string
  field: string
  /** it is compared with no number; there is no such field; it can only be compared; it can only be searched in */
  why: 'no-number' | 'no-field' | 'only-compared' | 'only-text'
}

/** In the order of the search. */
export const deadTerms = (search: string): DeadTerm[] =>
  splitSearch(search).terms.flatMap((term) => dead(term) ?? [])

function dead(term: Term): DeadTerm | undefined {
  if (term.kind === 'number' && !numberFields.has(term.field)) {
    const { sign, limit } = term.comparison
    return {
      term: `${term.field}${sign}${limit}`,
      field: term.field,
      why: textFields.has(term.field) ? 'only-text' : 'no-field',
    }
  }
  if (term.kind === 'text' && !textFields.has(term.field)) {
    return {
      term: `${term.field}:${term.text}`,
      field: term.field,
      why: numberFields.has(term.field) ? 'only-compared' : 'no-field',
    }
  }
  if (term.kind !== 'raw') return undefined
  const [, field] = /^([a-z_]+)\s*[<>=]/.exec(term.text) ?? []
  return field !== undefined && numberFields.has(field)
    ? { term: term.text, field, why: 'no-number' }
    : undefined
}
