import type { JsonSchema } from '../schemas.ts'
import type { SchemaReader } from './schema.ts'

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
type Fields = Record<string, unknown>

/**
 * Lists the differences in shape between an example and the real answers: a field that no answer has, a
 * missing field that all answers have, another type. Values do not count, and neither do the keys of a map.
 */
export function createShapes(schemas: SchemaReader) {
  return function differences(
    example: unknown,
    real: readonly unknown[],
    schema: JsonSchema | undefined,
    at = '',
  ): string[] {
    const kind = kindOf(example)
    const same = real.filter((one) => kindOf(one) === kind)
    if (same.length === 0) return [`${at || 'it'} is ${kindOf(real[0])}, not ${kind}`]
    if (kind === 'array') {
      const all = same.flat()
      const shown = example as unknown[]
      if (all.length === 0 || shown.length === 0) {
        // lists of texts, such as warnings, may be empty
        if ([...all, ...shown].every((one) => typeof one !== 'object')) return []
        return [`${at} has ${all.length ? 'entries' : 'none'}`]
      }
      const items = schemas.items(schema)
      return shown.flatMap((one) => differences(one, all, items, `${at}[]`))
    }
    if (kind !== 'object') return []
    const fields = example as Fields
    if (schemas.isMap(schema, fields)) {
      const all = same.flatMap((one) => Object.values(one as Fields))
      if (all.length === 0 && Object.keys(fields).length > 0) return [`${at} has none`]
      return Object.entries(fields).flatMap(([key, one]) =>
        differences(one, all, schemas.part(schema, fields, key), `${at}.*`),
      )
    }
    const always = Object.keys(same[0] as Fields).filter((key) => same.every((one) => key in (one as Fields)))
    const missing = always.filter((key) => !(key in fields)).map((key) => `${at}.${key} is missing`)
    return Object.entries(fields).reduce((found, [key, one]) => {
      const values = same.filter((each) => key in (each as Fields)).map((each) => (each as Fields)[key])
      if (values.length === 0) return [...found, `${at}.${key} is no field of it`]
      return [...found, ...differences(one, values, schemas.part(schema, fields, key), `${at}.${key}`)]
    }, missing)
  }
}
