import type { AnyRecord } from '@pulse/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareTexts } from './shared-texts.ts'

type Put = [string, AnyRecord][]
const putOf = (records: readonly Record<string, unknown>[]) =>
  records.map((one, n) => [`record ${n}`, one]) as unknown as Put

test('records with shared texts say the same as before', () => {
  const field = fc.constantFrom('id', 'node', 'constructor', '__proto__')
  const text = fc.oneof(fc.constantFrom('record 0', 'a node of a cluster', 'another node of it'), fc.string())
  const value = fc.oneof(text, fc.integer(), fc.constant(null), fc.dictionary(field, text))
  fc.assert(
    fc.property(fc.array(fc.dictionary(field, value), { maxLength: 50 }), (records) => {
      const parse = () => JSON.parse(JSON.stringify(putOf(records))) as Put
      const put = parse()
      shareTexts(put)
      expect(put).toEqual(parse())
    }),
  )
})

/** Counts how often a field of a record is written. */
function watched(record: Record<string, unknown>) {
  const writes: string[] = []
  const set = (target: Record<string, unknown>, name: string, value: unknown) => {
    writes.push(name)
    return Reflect.set(target, name, value)
  }
  return { record: new Proxy(record, { set }), writes }
}

test('a text that repeats in a field is taken from the first record, and one that never does costs nothing more', () => {
  const all = Array.from({ length: 100 }, (_, n) =>
    watched({ source: 'pve-0123456789ab', volid: `store:backup/vm/${n}`, list: 'short' }),
  )
  shareTexts(putOf(all.map(({ record }) => record)))
  expect(all[0]!.writes).toEqual([])
  for (const { writes } of all.slice(1)) expect(writes).toEqual(['source'])
})
