import { type DeadTerm, deadTerms, type KnownFields } from '@pulse/domain'

/** Explains each search term that cannot match. */
export const deadTermsText = (search: string, things: string, fields?: KnownFields): string | undefined =>
  describeDead(deadTerms(search, fields), things)

/** The same for terms of another grammar. */
export const describeDead = (dead: readonly DeadTerm[], things: string): string | undefined =>
  dead
    .map(({ term, field, why }) => `"${term}" can match nothing: ${reason(field, why, things)}.`)
    .join('\n') || undefined

function reason(field: string, why: DeadTerm['why'], things: string): string {
  switch (why) {
    case 'no-number':
      return `${field} is compared with a number, as in ${field}>80`
    case 'only-compared':
      return `${field} is a number, write ${field}>80`
    case 'only-text':
      return `${field} is text, write ${field}:web`
    case 'no-field':
      return `${things} have no ${field}`
    case 'not-compared':
      return `${things} are found by words, not by numbers`
  }
}
