import * as z from 'zod/mini'

export type JsonSchema = Record<string, unknown>
type Schema = z.ZodMiniType

/** A schema with a transformation has one form for requests and one for responses. */
export type Side = 'input' | 'output'

/** Names and comments of schemas. */
export interface Known {
  nameOf: ReadonlyMap<Schema, string>
  commentOf: ReadonlyMap<Schema, string>
}

const referencePrefix = '#/components/schemas/'

/** The contract's schemas as JSON Schema. Named schemas become references. */
export function createSchemas({ nameOf, commentOf }: Known) {
  const names = z.registry<{ id: string }>()
  for (const [schema, id] of nameOf) names.add(schema, { id })
  const forms: Record<Side, Map<string, JsonSchema>> = { input: new Map(), output: new Map() }

  function convert(whole: Schema, side: Side): JsonSchema {
    const {
      $schema: _,
      $defs,
      ...own
    } = z.toJSONSchema(whole, {
      io: side,
      metadata: names,
      override({ zodSchema, jsonSchema }) {
        const schema = zodSchema as unknown as Schema
        const words = [commentOf.get(schema), ...rulesOf(schema)]
        const description = words.filter((text) => text !== undefined).join('\n')
        if (description) jsonSchema.description = description
        // every integer in the contract has these limits
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
        // responses may get new fields, and clients ignore unknown ones
        if (side === 'output' && jsonSchema.additionalProperties === false)
          delete jsonSchema.additionalProperties
      },
    })
    for (const [id, form] of Object.entries($defs ?? {}))
      if (!forms[side].has(id)) forms[side].set(id, withReferences(form, side) as JsonSchema)
    return withReferences(own, side) as JsonSchema
  }

  /** Equal request and response forms share one name. Otherwise the response form keeps the name. */
  function settle(document: JsonSchema): { document: JsonSchema; schemas: Record<string, JsonSchema> } {
    const sent = new Set([...forms.input.keys()].filter((id) => differs(id, new Set())))
    const named = (value: unknown) =>
      mapNames(value, (id, side) => referencePrefix + (side === 'input' && sent.has(id) ? `${id}AsSent` : id))
    const all = [
      ...[...forms.output].map(([id, form]) => [id, form] as const),
      ...[...forms.input].map(([id, form]) => [sent.has(id) ? `${id}AsSent` : id, form] as const),
    ]
    const schemas = all
      .map(([id, form]) => [id, named(form) as JsonSchema] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
    return { document: named(document) as JsonSchema, schemas: Object.fromEntries(schemas) }
  }

  function differs(id: string, above: Set<string>): boolean {
    const [input, output] = [forms.input.get(id), forms.output.get(id)]
    if (!input || !output || above.has(id)) return false
    const below = new Set<string>()
    const bare = (form: JsonSchema) => JSON.stringify(mapNames(form, (one) => (below.add(one), one)))
    return bare(input) !== bare(output) || [...below].some((one) => differs(one, new Set([...above, id])))
  }

  return { of: convert, settle }
}

/** The error texts of the refinements describe the rules. */
function rulesOf(schema: Schema): string[] {
  return (schema._zod.def.checks ?? []).flatMap((one) => {
    const { check, error, pattern } = one._zod.def as {
      check: string
      error?: (issue: object) => unknown
      pattern?: RegExp
    }
    if (pattern && /[^duvg]/.test(pattern.flags))
      throw new Error(`JSON Schema has no flags: write ${pattern} without them`)
    if (check !== 'custom') return []
    const text = error?.({})
    if (typeof text !== 'string') throw new Error('A refinement of the contract has no message.')
    return [text]
  })
}

/** A reference contains side and name until both forms of all schemas are known. */
const pending = /^(input|output) (.+)$/
const withReferences = (value: unknown, side: Side) =>
  mapReferences(value, (text) => text.replace('#/$defs/', `${side} `))
const mapNames = (value: unknown, nameOf: (id: string, side: Side) => string) =>
  mapReferences(value, (text) => {
    const [, side, id] = pending.exec(text) ?? []
    return id === undefined ? text : nameOf(id, side as Side)
  })

function mapReferences(value: unknown, map: (reference: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => mapReferences(one, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) =>
      key === '$ref' && typeof one === 'string' ? [key, map(one)] : [key, mapReferences(one, map)],
    ),
  )
}
