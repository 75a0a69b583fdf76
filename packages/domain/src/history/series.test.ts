import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteReader, ByteWriter } from './bytes.ts'
import { absent, readSamples, readSeries, writeSeries } from './series.ts'

const stored = fc.oneof(
  fc.integer({ min: -2_000, max: 2_000 }),
  fc.integer({ min: -(2 ** 50), max: 2 ** 50 }),
  fc.constantFrom(...Object.values(absent)),
)

test('what was written is read, whatever the values and gaps', () => {
  fc.assert(
    fc.property(fc.array(fc.array(stored, { maxLength: 50 }), { maxLength: 20 }), (all) => {
      const writer = new ByteWriter()
      for (const values of all) writeSeries(writer, values)
      const reader = new ByteReader(writer.finish())
      for (const values of all) {
        const read: number[] = []
        readSeries(reader, values.length, read)
        expect(read).toEqual(values)
      }
      expect(reader.isAtEnd).toBe(true)
    }),
  )
})

test('the fast reading of samples reads the same, and refuses bytes that end too early', () => {
  fc.assert(
    fc.property(fc.array(stored, { minLength: 1, maxLength: 50 }), (values) => {
      const writer = new ByteWriter()
      writeSeries(writer, values)
      const bytes = writer.finish()
      const read = new Float64Array(values.length)
      const reader = new ByteReader(bytes)
      readSamples(reader, read)
      expect(Array.from(read)).toEqual(values)
      expect(reader.isAtEnd).toBe(true)
      const cut = new ByteReader(bytes.subarray(0, -1))
      expect(() => readSamples(cut, read)).toThrow(RangeError)
    }),
  )
})

test('[design 14] a sample that is close to the one before takes a byte', () => {
  const writer = new ByteWriter()
  writeSeries(
    writer,
    Array.from({ length: 1_000 }, (_, n) => 500 + ((n * 37) % 60)),
  )
  expect(writer.length).toBeLessThanOrEqual(1_001)
})

test('bytes that end too early are an error, not values', () => {
  const writer = new ByteWriter()
  writeSeries(writer, [1, 2, 300])
  const cut = writer.finish().subarray(0, writer.length - 1)
  expect(() => readSeries(new ByteReader(cut), 3, [])).toThrow('the stored samples end too early')
  const block = new ByteWriter()
  block.block(new Uint8Array(10))
  expect(() => new ByteReader(block.finish().subarray(0, 5)).block()).toThrow(RangeError)
})
