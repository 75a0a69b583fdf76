/** PVE's dialect of JSON schema, in both forms in which it is stored. */
export interface Schema {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  optional?: boolean | number
  enum?: readonly string[]
  minimum?: number
  maximum?: number
  pattern?: string
  additionalProperties?: unknown
  extra?: { additionalProperties?: unknown }
}

/**
 * Deviations of a value from its schema. Perl does not distinguish `1` from `"1"`, so numbers may be texts, texts may be
 * numbers, and booleans may be 0 or 1 in either form.
 */
export function validate(schema: Schema, value: unknown, at = ''): string[] {
  const wrongEnum = schema.enum?.length && !schema.enum.includes(String(value))
  if (wrongEnum) return [`${at} is ${JSON.stringify(value)}, not one of ${schema.enum!.join(', ')}`]
  switch (schema.type) {
    case 'string':
      return isScalar(value)
        ? matching(schema, String(value), at)
        : [`${at} is no string: ${JSON.stringify(value)}`]
    case 'integer':
    case 'number':
      return numeric(schema, value, at)
    case 'boolean':
      return ['0', '1'].includes(String(value)) ? [] : [`${at} is no boolean: ${JSON.stringify(value)}`]
    case 'null':
      return value === null ? [] : [`${at} is not null`]
    case 'array':
      if (!Array.isArray(value)) return [`${at} is no array: ${JSON.stringify(value)}`]
      return value.flatMap((item) => validate(schema.items ?? {}, item, `${at}[]`))
    case 'object':
      return object(schema, value, at)
    default:
      return []
  }
}

const isScalar = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

function matching({ pattern }: Schema, text: string, at: string): string[] {
  // Skips patterns with syntax that only Perl supports.
  if (pattern === undefined || pattern.includes('(?^') || pattern.includes('(?>')) return []
  return new RegExp(`^(?:${pattern})$`, 's').test(text) ? [] : [`${at} does not match ${pattern}: ${text}`]
}

function numeric({ type, minimum, maximum }: Schema, value: unknown, at: string): string[] {
  const number = isScalar(value) && value !== '' ? Number(value) : Number.NaN
  if (Number.isNaN(number)) return [`${at} is no ${type}: ${JSON.stringify(value)}`]
  if (type === 'integer' && !Number.isInteger(number)) return [`${at} is no integer: ${number}`]
  if (minimum !== undefined && number < minimum) return [`${at} is below ${minimum}: ${number}`]
  if (maximum !== undefined && number > maximum) return [`${at} is above ${maximum}: ${number}`]
  return []
}

function object(
  { properties = {}, additionalProperties, extra }: Schema,
  value: unknown,
  at: string,
): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [`${at} is no object: ${JSON.stringify(value)}`]
  }
  const given = value as Record<string, unknown>
  const problems = Object.entries(properties).flatMap(([name, schema]) => {
    if (given[name] !== undefined) return validate(schema, given[name], `${at}.${name}`)
    return schema.optional ? [] : [`${at}.${name} is missing`]
  })
  const closed = (additionalProperties ?? extra?.additionalProperties) === 0
  const unknown = closed ? Object.keys(given).filter((name) => !(name in properties)) : []
  return [...problems, ...unknown.map((name) => `${at}.${name} is not documented`)]
}
