import { type DeadTerm, deadTerms } from '@pulse/domain'

/** Says of each term that can match nothing what is wrong with it. */
export const deadTermsText = (search: string): string | undefined =>
  deadTerms(search).map(sentence).join('\n') || undefined

function sentence({ term, field, why }: DeadTerm): string {
  return `"${term}" can match nothing: ${reason(field, why)}.`
}

function reason(field: string, why: DeadTerm['why']): string {
  switch (why) {
    case 'no-number':
      return `${field} is compared with a number, as in ${field}>80`
    case 'only-compared':
      return `${field} is a number, write ${field}>80`
    case 'only-text':
      return `${field} is text, write ${field}:web`
    case 'no-field':
      return `guests have no ${field}`
  }
}
