import { type Bucket, bucketOf, isSummary } from './bucket.ts'
import { ByteReader, ByteWriter } from './bytes.ts'
import { absent, isSample, readSamples, readSeries, writeSeries } from './series.ts'

/** Series per tile. Few enough that one series is read fast, and enough that all of an estate are few rows. */
export const seriesPerTile = 32

/** The series of one field and a group of things over one block of time, by slot: 0 to 31. */
export type RawTile = ReadonlyMap<number, ArrayLike<number>>
export type BucketTile = ReadonlyMap<number, readonly Bucket[]>

/** All series have the same number of samples. */
export const encodeRawTile = (tile: RawTile): Uint8Array => encode(tile, writeSeries)
export const encodeBucketTile = (tile: BucketTile): Uint8Array => encode(tile, writeBuckets)

/** One series, or undefined if the tile has none in that slot. */
export const rawSeriesIn = (bytes: Uint8Array, slot: number): number[] | undefined =>
  oneIn(bytes, slot, readRaw)
export const bucketsIn = (bytes: Uint8Array, slot: number): Bucket[] | undefined =>
  oneIn(bytes, slot, readBuckets)

/**
 * The largest sample of each bucket of every series, without making the buckets. A bucket without samples has the
 * code of its gap, which is lower than every sample. The same list each time.
 */
export function visitPeaks(bytes: Uint8Array, use: (slot: number, peaks: Float64Array) => void): void {
  const reader = new ByteReader(bytes)
  let column = new Float64Array(0)
  let peaks = new Float64Array(0)
  for (let left = reader.unsigned(); left > 0; left--) {
    const slot = reader.unsigned()
    const own = new ByteReader(reader.block())
    const length = own.unsigned()
    if (length !== peaks.length) {
      peaks = new Float64Array(length)
      column = new Float64Array(length)
    }
    readSamples(own, peaks)
    let full = 0
    for (const count of peaks) if (isSample(count)) full++
    const values = column.subarray(0, full)
    readSamples(own, values)
    let at = 0
    for (let n = 0; n < length; n++) if (isSample(peaks[n]!)) peaks[n] = values[at++]!
    // the smallest samples
    readSamples(own, values)
    // above the mean
    readSamples(own, values)
    at = 0
    for (let n = 0; n < length; n++) if (isSample(peaks[n]!)) peaks[n]! += values[at++]!
    use(slot, peaks)
  }
}

export const allRawIn = (bytes: Uint8Array): Map<number, number[]> => new Map(eachIn(bytes, readRaw))
export const allBucketsIn = (bytes: Uint8Array): Map<number, Bucket[]> => new Map(eachIn(bytes, readBuckets))

/**
 * Of every series of a tile of buckets: the number of samples of each bucket, or the code of a gap, and the
 * mean of those buckets that have samples. The same lists each time.
 */
export function visitMeans(
  bytes: Uint8Array,
  use: (slot: number, counts: readonly number[], means: readonly number[]) => void,
): void {
  const reader = new ByteReader(bytes)
  const counts: number[] = []
  const means: number[] = []
  for (let left = reader.unsigned(); left > 0; left--) {
    const slot = reader.unsigned()
    const own = new ByteReader(reader.block())
    counts.length = own.unsigned()
    readSeries(own, counts.length, counts)
    means.length = counts.filter(isSample).length
    readSeries(own, means.length, means)
    use(slot, counts, means)
  }
}

function encode<T extends ArrayLike<unknown>>(
  tile: ReadonlyMap<number, T>,
  write: (writer: ByteWriter, series: T) => void,
): Uint8Array {
  const writer = new ByteWriter()
  const slots = [...tile.keys()].toSorted((a, b) => a - b)
  writer.unsigned(slots.length)
  for (const slot of slots) {
    const series = tile.get(slot)!
    const own = new ByteWriter()
    own.unsigned(series.length)
    write(own, series)
    writer.unsigned(slot)
    writer.block(own.finish())
  }
  return writer.finish()
}

function oneIn<T>(bytes: Uint8Array, slot: number, read: (reader: ByteReader) => T): T | undefined {
  const reader = new ByteReader(bytes)
  for (let left = reader.unsigned(); left > 0; left--) {
    if (reader.unsigned() === slot) return read(new ByteReader(reader.block()))
    reader.skipBlock()
  }
  return undefined
}

function* eachIn<T>(bytes: Uint8Array, read: (reader: ByteReader) => T): Generator<[number, T], void> {
  const reader = new ByteReader(bytes)
  for (let left = reader.unsigned(); left > 0; left--) {
    const slot = reader.unsigned()
    yield [slot, read(new ByteReader(reader.block()))]
  }
}

function readRaw(reader: ByteReader): number[] {
  const values: number[] = []
  readSeries(reader, reader.unsigned(), values)
  return values
}

const reasons = { silent: absent.silent, stopped: absent.stopped }

/** The number of samples carries the gaps. The other columns are differences to the mean, which are small. */
function writeBuckets(writer: ByteWriter, buckets: readonly Bucket[]): void {
  writeSeries(
    writer,
    buckets.map((bucket) => {
      if (isSummary(bucket)) return bucket.count
      return bucket === undefined ? absent.skipped : reasons[bucket]
    }),
  )
  const full = buckets.filter(isSummary)
  writeSeries(
    writer,
    full.map(({ mean }) => mean),
  )
  for (const difference of [below, above, beside]) writeSeries(writer, full.map(difference))
}

type Full = Extract<Bucket, object>
const below = ({ mean, min }: Full) => mean - min
const above = ({ mean, max }: Full) => max - mean
const beside = ({ mean, last }: Full) => last - mean

function readBuckets(reader: ByteReader): Bucket[] {
  const counts: number[] = []
  readSeries(reader, reader.unsigned(), counts)
  const full = counts.filter(isSample).length
  const column = () => {
    const values: number[] = []
    readSeries(reader, full, values)
    return values
  }
  const [means, lows, highs, lasts] = [column(), column(), column(), column()]
  let at = 0
  return counts.map((count) => {
    if (!isSample(count)) return bucketOf(count)
    const mean = means[at]!
    const bucket = { count, mean, min: mean - lows[at]!, max: mean + highs[at]!, last: mean + lasts[at]! }
    at++
    return bucket
  })
}
