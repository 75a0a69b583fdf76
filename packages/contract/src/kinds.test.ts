import { expect, test } from 'vitest'
import { sampledGuestFieldNames } from './entities/sampled-fields.ts'
import { figureFields, kindOf, recordKinds } from './kinds.ts'
import { recordSchemas } from './state.ts'

interface Schema {
  _zod: {
    def: { shape?: Record<string, Schema>; innerType?: Schema; element?: Schema; options?: Schema[] }
  }
}

/** Whether records of the schema can have the field, by dot path. */
function hasField(schema: Schema | undefined, [name, ...rest]: string[]): boolean {
  if (!schema || name === undefined) return schema !== undefined
  const { shape, innerType, element, options } = schema._zod.def
  if (options) return options.some((one) => hasField(one, [name, ...rest]))
  const inner = innerType ?? element
  if (inner) return hasField(inner, [name, ...rest])
  return hasField(shape?.[name], rest)
}

test.each(recordKinds())('the table speaks of fields that records of kind %s have', (kind) => {
  const { round = {}, nested = [], derived = {}, keptBack = [], passing = {}, plain } = kindOf(kind)
  const list = plain && typeof plain.list !== 'string' ? [plain.list.by] : []
  const order = (plain?.order ?? []).map((field) => field.replace('-', ''))
  const within = plain?.within ? [plain.within.by] : []
  const named = [
    Object.keys(round),
    nested,
    Object.keys(derived),
    keptBack,
    Object.keys(passing),
    order,
    plain?.inner ?? [],
    list,
    within,
  ]
  const unknown = named
    .flat()
    .filter((path) => !hasField(recordSchemas[kind] as unknown as Schema, path.split('.')))
  expect(unknown).toEqual([])
})

function fieldsOf(schema: Schema): string[] {
  const { shape = {}, innerType, element, options = [] } = schema._zod.def
  const within = [innerType, element, ...options].flatMap((one) => (one ? fieldsOf(one) : []))
  return [...within, ...Object.entries(shape).flatMap(([name, inner]) => [name, ...fieldsOf(inner)])]
}

test('[design 5] nothing in a record moves with time alone: durations and ages are stored as moments', () => {
  const ticking = recordKinds().flatMap((kind) =>
    fieldsOf(recordSchemas[kind] as unknown as Schema)
      .filter((name) => /^uptime|Age$|^age$|^lastSeen$/.test(name))
      .map((name) => `${kind}.${name}`),
  )
  // `lastSeen` of a source is the moment that its age is computed from. `lastSeen` of an alert is a date.
  const moments = ['activeAlerts.lastSeen', 'recentlyResolved.lastSeen', 'sources.lastSeen']
  expect(ticking.filter((path) => !moments.includes(path))).toEqual([])
})

test('the changing fields of a guest are its rounded and derived ones, sampled fields included', () =>
  expect([...figureFields('guests')].sort()).toEqual(
    ['cpu', 'memory', 'disk', 'disks', 'networkInterfaces', ...sampledGuestFieldNames].sort(),
  ))
