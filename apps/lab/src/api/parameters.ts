import { parameterError } from './api-error.ts'

export type ParameterType = 'string' | 'boolean' | 'integer' | readonly string[]
export type ParameterRule = ParameterType | { required: ParameterType }

/** Refuses unknown parameters, as every PVE method does. */
export function verifyParameters(
  given: Readonly<Record<string, string>>,
  rules: Readonly<Record<string, ParameterRule>>,
  pathParameters: ReadonlySet<string>,
): void {
  const errors: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    const rule = pathParameters.has(name) ? pathRule(name) : rules[name]
    const problem =
      rule === undefined
        ? 'property is not defined in schema and the schema does not allow additional properties'
        : problemWith(value, typeOf(rule))
    if (problem) errors[name] = problem
  }
  for (const [name, rule] of Object.entries(rules)) {
    if (isRequired(rule) && given[name] === undefined)
      errors[name] = 'property is missing and it is not optional'
  }
  if (Object.keys(errors).length > 0) throw parameterError(errors)
}

const isRequired = (rule: ParameterRule): rule is { required: ParameterType } =>
  typeof rule === 'object' && 'required' in rule

const typeOf = (rule: ParameterRule): ParameterType => (isRequired(rule) ? rule.required : rule)

const pathRule = (name: string): ParameterType => (name === 'vmid' ? 'integer' : 'string')

function problemWith(value: string, type: ParameterType): string | undefined {
  if (type === 'string') return undefined
  if (type === 'integer') {
    return /^-?\d+$/.test(value) ? undefined : `type check ('integer') failed - got '${value}'`
  }
  if (type === 'boolean') {
    return /^(1|0|on|off|yes|no|true|false)$/i.test(value)
      ? undefined
      : `type check ('boolean') failed - got '${value}'`
  }
  if (type.includes(value)) return undefined
  return `value '${value}' does not have a value in the enumeration '${type.join(', ')}'`
}

export const isTrue = (value: string | undefined): boolean =>
  value !== undefined && /^(1|on|yes|true)$/i.test(value)
