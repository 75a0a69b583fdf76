import { ByteReader, ByteWriter } from './bytes.ts'

/**
 * Takes the place of a sample. `skipped`: the source is asked less often than the tick, so there is no new
 * value and no gap. The others are gaps, each with its reason.
 */
export const absent = {
  skipped: Number.MIN_SAFE_INTEGER,
  silent: Number.MIN_SAFE_INTEGER + 1,
  stopped: Number.MIN_SAFE_INTEGER + 2,
} as const

const highestAbsent = absent.stopped
export const isSample = (stored: number): boolean => stored > highestAbsent

/** Differences of larger values, doubled, are not exact any more. */
export const mostStored = 2 ** 50

const codes = 3

/**
 * Stored values in order: each as its difference to the value before, which is small for most figures. A
 * general compression after it removes repetitions.
 */
export function writeSeries(writer: ByteWriter, values: ArrayLike<number>): void {
  let before = 0
  for (let n = 0; n < values.length; n++) {
    const value = values[n]!
    if (!isSample(value)) {
      writer.unsigned(value - Number.MIN_SAFE_INTEGER)
      continue
    }
    const change = value - before
    before = value
    writer.unsigned((change < 0 ? -2 * change - 1 : 2 * change) + codes)
  }
}

/** Reads `count` values into an array. */
export function readSeries(reader: ByteReader, count: number, into: number[]): void {
  let before = 0
  for (let n = 0; n < count; n++) {
    const token = reader.unsigned()
    if (token < codes) {
      into[n] = Number.MIN_SAFE_INTEGER + token
      continue
    }
    const zigzag = token - codes
    before += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2
    into[n] = before
  }
}

/** Reads values that are small, as almost all samples are, without divisions of fractions. */
export function readSamples(reader: ByteReader, into: Float64Array): void {
  reader.unsignedInto(into)
  let before = 0
  for (let n = 0; n < into.length; n++) {
    const token = into[n]!
    if (token < codes) {
      into[n] = Number.MIN_SAFE_INTEGER + token
      continue
    }
    const zigzag = token - codes
    if (zigzag < 2 ** 31) before += (zigzag & 1) === 0 ? zigzag >>> 1 : -((zigzag + 1) >>> 1)
    else before += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2
    into[n] = before
  }
}

/** Numbers alone, such as the times of ticks. */
export function encodeNumbers(numbers: readonly number[]): Uint8Array {
  const writer = new ByteWriter()
  writer.unsigned(numbers.length)
  writeSeries(writer, numbers)
  return writer.finish()
}

export function decodeNumbers(bytes: Uint8Array): number[] {
  const reader = new ByteReader(bytes)
  const numbers: number[] = []
  readSeries(reader, reader.unsigned(), numbers)
  return numbers
}
