/** An invalid request to the lab; the HTTP response has its status and text. */
export class ControlError extends Error {
  readonly status: 400 | 404 | 409

  constructor(status: 400 | 404 | 409, message: string) {
    super(message)
    this.status = status
  }
}

export type Rule = (value: unknown) => string | undefined

/** Checks an object against rules by field; `null` is allowed where it clears something. */
export function check<T>(what: string, value: unknown, rules: Record<keyof T & string, Rule>): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ControlError(400, `${what} must be an object`)
  }
  for (const [field, entry] of Object.entries(value)) {
    const rule = rules[field as keyof T & string] as Rule | undefined
    if (!rule) {
      throw new ControlError(400, `${what} has no field ${field}; it takes ${Object.keys(rules).join(', ')}`)
    }
    if (entry === undefined) continue
    const problem = rule(entry)
    if (problem) throw new ControlError(400, `${what}.${field} ${problem}, not ${JSON.stringify(entry)}`)
  }
  return value as T
}

export const aNumber =
  (min: number, max = Number.MAX_SAFE_INTEGER): Rule =>
  (value) =>
    typeof value === 'number' && value >= min && value <= max
      ? undefined
      : `must be a number from ${min} to ${max}`

export const anInteger =
  (min: number, max = Number.MAX_SAFE_INTEGER): Rule =>
  (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? undefined
      : `must be a whole number from ${min} to ${max}`

export const aText: Rule = (value) => (typeof value === 'string' ? undefined : 'must be a text')

export const anything: Rule = () => undefined

export const aFlag: Rule = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false')

export const oneOf =
  (...allowed: readonly string[]): Rule =>
  (value) =>
    typeof value === 'string' && allowed.includes(value) ? undefined : `must be one of ${allowed.join(', ')}`

export const aListOfTexts: Rule = (value) =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string')
    ? undefined
    : 'must be a list of texts'

export const aRecordOfTexts: Rule = (value) =>
  anObject(value) ??
  (Object.values(value as object).every((text) => typeof text === 'string')
    ? undefined
    : 'must have texts in it')

export const anObject: Rule = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'must be an object'

export const orNull =
  (rule: Rule): Rule =>
  (value) =>
    value === null ? undefined : rule(value)
