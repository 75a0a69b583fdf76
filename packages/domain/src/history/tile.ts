import { type Bucket, bucketOf, isSummary } from './bucket.ts'
import { ByteReader, ByteWriter } from './bytes.ts'
import { absent, isSample, readSamples, readSeries, writeSeries } from './series.ts'

/** Series per tile. Few enough that one series is read fast, and enough that all of an estate are few rows. */
export const seriesPerTile = 32

/** The series of one field and a group of things over one block of time, by slot: 0 to 31. */
export type RawTile = ReadonlyMap<number, ArrayLike<number>>
export type BucketTile = ReadonlyMap<number, readonly Bucket[]>

/** All series have the same number of samples. */
export const encodeRawTile = (tile: RawTile): Uint8Array =>
  encode(tile, (writer, series) => {
    writer.unsigned(series.length)
    writeSeries(writer, series)
  })

export const encodeBucketTile = (tile: BucketTile): Uint8Array =>
  encodeBuckets(tile, (buckets, columns) => {
    for (const bucket of buckets) columns.add(bucket)
  })

/** The buckets that `fill` makes of each series. Millions of them at once would be too many objects. */
export function encodeBuckets<T>(
  tile: ReadonlyMap<number, T>,
  fill: (series: T, columns: BucketColumns) => void,
): Uint8Array {
  const columns = new BucketColumns()
  return encode(tile, (writer, series) => {
    fill(series, columns)
    columns.moveTo(writer)
  })
}

/** One series, or undefined if the tile has none in that slot. */
export const rawSeriesIn = (bytes: Uint8Array, slot: number): Float64Array | undefined =>
  oneIn(bytes, slot, readRaw)
export const bucketsIn = (bytes: Uint8Array, slot: number): Bucket[] | undefined =>
  oneIn(bytes, slot, readBuckets)

/** The first samples of the wanted series: of each so many, or as many as there are. The same list each time. */
export function visitRaw(
  bytes: Uint8Array,
  wanted: ReadonlySet<number>,
  most: number,
  use: (slot: number, samples: Float64Array) => void,
): void {
  let samples = new Float64Array(0)
  visitSlots(bytes, wanted, (slot, own) => {
    const length = Math.min(most, own.count())
    if (length !== samples.length) samples = new Float64Array(length)
    readSamples(own, samples)
    use(slot, samples)
  })
}

type VisitBuckets = (slot: number, values: Float64Array) => void

/**
 * The largest sample of each bucket of every series, without making the buckets. A bucket without samples has the
 * code of its gap, which is lower than every sample. The same list each time.
 */
export const visitPeaks = (bytes: Uint8Array, use: VisitBuckets): void =>
  visitColumn(bytes, undefined, 1, use)

/** As `visitPeaks`, for the last sample of each bucket and the wanted series. */
export const visitLasts = (bytes: Uint8Array, wanted: ReadonlySet<number>, use: VisitBuckets): void =>
  visitColumn(bytes, wanted, 2, use)

/** `passed`: columns between the mean and the one that is read. */
function visitColumn(
  bytes: Uint8Array,
  wanted: ReadonlySet<number> | undefined,
  passed: number,
  use: VisitBuckets,
): void {
  const readMeans = meansReader()
  visitSlots(bytes, wanted, (slot, own) => {
    // first the counts, then in their place the mean and what is wanted
    const { counts: found, means: values } = readMeans(own)
    let at = 0
    for (let n = 0; n < found.length; n++) if (isSample(found[n]!)) found[n] = values[at++]!
    for (let n = 0; n <= passed; n++) readSamples(own, values)
    at = 0
    for (let n = 0; n < found.length; n++) if (isSample(found[n]!)) found[n]! += values[at++]!
    use(slot, found)
  })
}

export const allRawIn = (bytes: Uint8Array): Map<number, Float64Array> => new Map(eachIn(bytes, readRaw))
export const allBucketsIn = (bytes: Uint8Array): Map<number, Bucket[]> => new Map(eachIn(bytes, readBuckets))

/**
 * Of every series of a tile of buckets: the number of samples of each bucket, or the code of a gap, and the
 * mean of those buckets that have samples. The same lists each time.
 */
export function visitMeans(
  bytes: Uint8Array,
  use: (slot: number, counts: Float64Array, means: Float64Array) => void,
): void {
  const readMeans = meansReader()
  visitSlots(bytes, undefined, (slot, own) => {
    const { counts, means } = readMeans(own)
    use(slot, counts, means)
  })
}

/** Reads the first two columns of a series of buckets: the counts or gaps, and the means. The same lists each time. */
function meansReader(): (series: ByteReader) => { counts: Float64Array; means: Float64Array } {
  let counts = new Float64Array(0)
  let column = new Float64Array(0)
  return (series) => {
    const length = series.count()
    if (length !== counts.length) {
      counts = new Float64Array(length)
      column = new Float64Array(length)
    }
    readSamples(series, counts)
    let full = 0
    for (const count of counts) if (isSample(count)) full++
    const means = column.subarray(0, full)
    readSamples(series, means)
    return { counts, means }
  }
}

/** Every series of a tile, or the wanted ones. */
function visitSlots(
  bytes: Uint8Array,
  wanted: ReadonlySet<number> | undefined,
  use: (slot: number, series: ByteReader) => void,
): void {
  const reader = new ByteReader(bytes)
  for (let left = reader.unsigned(); left > 0; left--) {
    const slot = reader.unsigned()
    if (!wanted || wanted.has(slot)) use(slot, new ByteReader(reader.block()))
    else reader.skipBlock()
  }
}

function encode<T>(tile: ReadonlyMap<number, T>, write: (writer: ByteWriter, series: T) => void): Uint8Array {
  const writer = new ByteWriter()
  const own = new ByteWriter()
  const slots = [...tile.keys()].toSorted((a, b) => a - b)
  writer.unsigned(slots.length)
  for (const slot of slots) {
    write(own, tile.get(slot)!)
    writer.unsigned(slot)
    writer.take(own)
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

function readRaw(reader: ByteReader): Float64Array {
  const values = new Float64Array(reader.count())
  readSamples(reader, values)
  return values
}

const reasons = { silent: absent.silent, stopped: absent.stopped }

/**
 * The buckets of a series by column, as they are stored. The number of samples carries the gaps. The other columns are
 * differences to the mean, which are small.
 */
class BucketColumns {
  readonly #counts = new NumberList()
  readonly #means = new NumberList()
  readonly #below = new NumberList()
  readonly #above = new NumberList()
  readonly #beside = new NumberList()

  add(bucket: Bucket): void {
    if (!isSummary(bucket)) {
      this.#counts.push(bucket === undefined ? absent.skipped : reasons[bucket])
      return
    }
    const { count, min, mean, max, last } = bucket
    this.#counts.push(count)
    this.#means.push(mean)
    this.#below.push(mean - min)
    this.#above.push(max - mean)
    this.#beside.push(last - mean)
  }

  /** It is empty then. */
  moveTo(writer: ByteWriter): void {
    writer.unsigned(this.#counts.length)
    for (const column of [this.#counts, this.#means, this.#below, this.#above, this.#beside])
      writeSeries(writer, column.takeAll())
  }
}

/** Keeps its space when it is emptied. */
class NumberList {
  #numbers = new Float64Array(64)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(number: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = new Float64Array(2 * this.#length)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.#length++] = number
  }

  /** Valid until the next `push`. */
  takeAll(): Float64Array {
    const all = this.#numbers.subarray(0, this.#length)
    this.#length = 0
    return all
  }
}

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
