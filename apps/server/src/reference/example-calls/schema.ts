import type { JsonSchema } from '../schemas.ts'

type Components = Record<string, JsonSchema>

/** Finds the schemas of a value's parts, without validation. */
export interface SchemaReader {
  /** true if its keys are data, not field names */
  isMap(schema: JsonSchema | undefined, value: object): boolean
  part(schema: JsonSchema | undefined, value: object, key: string): JsonSchema | undefined
  items(schema: JsonSchema | undefined): JsonSchema | undefined
}

export function readSchemas(components: Components): SchemaReader {
  function open(schema: JsonSchema | undefined): JsonSchema[] {
    if (!schema) return []
    const { $ref, anyOf, oneOf, allOf } = schema as { $ref?: string } & Record<string, JsonSchema[]>
    const named = $ref === undefined ? [] : open(components[$ref.split('/').at(-1)!])
    return [schema, ...named, ...[anyOf, oneOf, allOf].flatMap((list) => (list ?? []).flatMap(open))]
  }
  const propertiesOf = (schema: JsonSchema) => (schema['properties'] ?? {}) as Components
  const valuesOf = (schema: JsonSchema) => schema['additionalProperties'] as JsonSchema | undefined

  /** Selects the schema with the most matching fields. */
  function fitting(schema: JsonSchema | undefined, value: object): JsonSchema | undefined {
    const known = (one: JsonSchema) => Object.keys(value).filter((key) => key in propertiesOf(one)).length
    const forms = open(schema).filter((one) => one['type'] === 'object')
    return forms.toSorted((a, b) => known(b) - known(a))[0]
  }

  return {
    isMap(schema, value) {
      const form = fitting(schema, value)
      return form !== undefined && !form['properties'] && typeof valuesOf(form) === 'object'
    },
    part(schema, value, key) {
      const form = fitting(schema, value)
      return form && (propertiesOf(form)[key] ?? valuesOf(form))
    },
    items: (schema) => open(schema).find((one) => one['items'])?.['items'] as JsonSchema | undefined,
  }
}
