import type * as z from 'zod/mini'

type Issue = z.core.$ZodRawIssue

/** A sentence for users about an invalid value. Never quotes the value, which may be a secret. */
export function validationText(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'This field is required.' : `Must be ${nameOfType(issue.expected)}.`
    case 'too_small':
      return `Must ${sizeText(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}.`
    case 'too_big':
      return `Must ${sizeText(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}.`
    case 'invalid_value':
      return issue.values.length === 1
        ? `Must be ${quoted(issue.values[0])}.`
        : `Must be one of ${issue.values.map(quoted).join(', ')}.`
    case 'invalid_format':
      return `Must be ${formats[issue.format] ?? 'in the documented format'}.`
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}.`
    case 'unrecognized_keys':
      return `There is no field ${issue.keys
        .slice(0, 3)
        .map((key) => quoted(key.slice(0, 60)))
        .join(', ')}.`
    default:
      return 'Must have one of the documented forms.'
  }
}

const types: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}
const nameOfType = (expected: string) => types[expected] ?? expected

const formats: Record<string, string> = {
  email: 'an email address',
  url: 'a web address',
  datetime: 'a time such as 2026-01-31T13:45:00Z',
  uuid: 'a UUID',
}

function sizeText(origin: string, bound: string, size: number | bigint | Date): string {
  const unit = { string: 'character', array: 'entry', set: 'entry', map: 'entry', record: 'entry' }[origin]
  if (unit === undefined) return `be ${bound} ${String(size)}`
  const many = unit === 'entry' ? 'entries' : `${unit}s`
  if (bound === 'at least' && Number(size) === 1)
    return unit === 'entry' ? 'have at least one entry' : 'not be empty'
  return `have ${bound} ${String(size)} ${Number(size) === 1 ? unit : many}`
}

const quoted = (value: unknown) => (typeof value === 'string' ? `"${value}"` : String(value))
