import { type AnyRecord, kindOf, kinds, type RecordKind } from '@pulse/contract'
import { expect, test } from 'vitest'
import { plainFormOf } from './plain-forms.ts'

const withInner = (Object.keys(kinds) as RecordKind[]).flatMap((kind) =>
  (kindOf(kind).plain?.inner ?? []).map((field) => [kind, field] as const),
)

test('there are internal fields', () => expect(withInner.length).toBeGreaterThan(4))

test.each(withInner)('the documented form of %s has no internal field %s', (kind, field) => {
  const record = { source: 's', staleSince: 1, [field]: [] } as unknown as AnyRecord
  const form = plainFormOf(kind).body(record)
  for (const internal of ['source', field]) expect(form).not.toHaveProperty(internal)
})
