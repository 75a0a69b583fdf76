import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createListReader } from './list-reader.ts'
import { SourceError } from './source-error.ts'

function read(text: string, pieceLength = text.length, maxEntryBytes?: number) {
  const entries: unknown[] = []
  const reader = createListReader('host', (entry) => void entries.push(entry), maxEntryBytes)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += pieceLength) reader.take(bytes.subarray(at, at + pieceLength))
  reader.end()
  return entries
}

test('the entries of a list come one by one, however the answer is cut', () => {
  const entry = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()))
  fc.assert(
    fc.property(fc.array(entry), fc.integer({ min: 1, max: 40 }), fc.boolean(), (data, length, isSpaced) => {
      const text = JSON.stringify({ data, total: 3 }, null, isSpaced ? 1 : 0)
      expect(read(text, length)).toEqual(JSON.parse(JSON.stringify(data)))
    }),
  )
})

test('what stands before the list does not matter', () => {
  expect(read('{"total":2,\n "data" : [{"a":1}]}', 3)).toEqual([{ a: 1 }])
})

describe('refused is', () => {
  test.each([
    ['no list', '{"data":null}'],
    ['a list of texts', '{"data":["a"]}'],
    ['another list first', '{"errors":[],"data":[]}'],
    ['a web page', '<html>[]'],
    ['what never comes to a list', `{"a":"${'x'.repeat(5_000)}`],
    ['what ends too early', '{"data":[{"a":1}'],
    ['an entry that is no JSON', '{"data":[{a}]}'],
    ['nothing', ''],
    ['a list of figures', '{"data":[1,2]}'],
    ['an entry that is none', '{"data":[{"a":1},null]}'],
    ['entries without a comma between', '{"data":[{"a":1}{"a":2}]}'],
    ['a comma with no entry behind it', '{"data":[{"a":1},]}'],
    ['a comma with no entry before it', '{"data":[,{"a":1}]}'],
    ['a list that another bracket ends', '{"data":[{"a":1}}'],
    ['what ends behind the list', '{"data":[{"a":1}]'],
    ['what goes on behind the answer', '{"data":[{"a":1}]} and more'],
    ['what goes on without end', `{"data":[],"a":"${'x'.repeat(5_000)}"}`],
    ['a list within something else', '{"errors":{"data":[{"a":1}]}}'],
    ['an answer with a byte order mark', '\ufeff{"data":[]}'],
  ])('%s', (_what, text) => {
    expect(() => read(text, 7)).toThrow(SourceError)
  })

  test('[S13] an entry without end, before it is held', () => {
    let taken = 0
    const reader = createListReader('host', () => {}, 1_000)
    const piece = Buffer.from(`"${'x'.repeat(98)}",`)
    reader.take(Buffer.from('{"data":[['))
    expect(() => {
      for (; taken < 1_000; taken++) reader.take(piece)
    }).toThrow(/larger than/)
    expect(taken).toBeLessThan(12)
  })
})
