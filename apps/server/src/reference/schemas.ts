import * as z from 'zod/mini'

export type JsonSchema = Record<string, unknown>
type Schema = z.ZodMiniType

/** What is taken, or what is told: a schema that changes what it reads has two forms. */
export type Side = 'input' | 'output'

/** What is said of a schema besides what it demands. */
export interface Known {
  nameOf: ReadonlyMap<Schema, string>
  commentOf: ReadonlyMap<Schema, string>
}

const place = '#/components/schemas/'

/** The contract's schemas as JSON Schema. Those that have a name there are referred to by it. */
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
        // of every whole number of the contract; it says nothing
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
        // what is told may grow: whoever reads it leaves alone what is new
        if (side === 'output' && jsonSchema.additionalProperties === false)
          delete jsonSchema.additionalProperties
      },
    })
    for (const [id, form] of Object.entries($defs ?? {}))
      if (!forms[side].has(id)) forms[side].set(id, withReferences(form, side) as JsonSchema)
    return withReferences(own, side) as JsonSchema
  }

  /** Both forms of what is the same taken and told go by one name; the form that is told keeps it otherwise. */
  function settle(document: JsonSchema): { document: JsonSchema; schemas: Record<string, JsonSchema> } {
    const sent = new Set([...forms.input.keys()].filter((id) => differs(id, new Set())))
    const named = (value: unknown) =>
      mapNames(value, (id, side) => place + (side === 'input' && sent.has(id) ? `${id}AsSent` : id))
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
    const [taken, told] = [forms.input.get(id), forms.output.get(id)]
    if (!taken || !told || above.has(id)) return false
    const below = new Set<string>()
    const bare = (form: JsonSchema) => JSON.stringify(mapNames(form, (one) => (below.add(one), one)))
    return bare(taken) !== bare(told) || [...below].some((one) => differs(one, new Set([...above, id])))
  }

  return { of: convert, settle }
}

/** What a refinement demands is known by what it says when it is not met. */
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
    if (typeof text !== 'string')
      throw new Error('A refinement of the contract does not say what it demands.')
    return [text]
  })
}

/** Until both forms of everything are known, a reference is its side and its name. */
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
