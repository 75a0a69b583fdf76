import { ByteReader, ByteWriter } from './bytes.ts'
import { absent, readSamples, readSeries, writeSeries } from './series.ts'

/** The samples of one field at one tick: stored values by the number of the thing. */
export interface Column {
  field: number
  things: ArrayLike<number>
  values: ArrayLike<number>
}

type Use = (thing: number, samples: Float64Array) => void

/** The samples of all things within one minute: what a kill loses at most. They stay as they came until it is over. */
export class OpenSegment {
  /** of the ticks, in ms since 1970 */
  readonly times: number[] = []
  readonly #fields = new Map<number, { tick: number; column: Column }[]>()

  add(at: number, columns: readonly Column[]): void {
    const tick = this.times.push(at) - 1
    for (const column of columns) {
      const parts = this.#fields.get(column.field)
      if (parts) parts.push({ tick, column })
      else this.#fields.set(column.field, [{ tick, column }])
    }
  }

  /** As of a finished segment. */
  visit(field: number, use: Use): void {
    const ticks = this.times.length
    const { things, values } = this.#table(field)
    for (const [row, thing] of things.entries()) use(thing, values.subarray(row * ticks, (row + 1) * ticks))
  }

  samples(field: number, thing: number): Float64Array | undefined {
    let samples: Float64Array | undefined
    for (const { tick, column } of this.#fields.get(field) ?? []) {
      const at = placeOf(thing, column.things)
      if (at < 0) continue
      samples ??= new Float64Array(this.times.length).fill(absent.skipped)
      samples[tick] = column.values[at]!
    }
    return samples
  }

  encode(): Uint8Array {
    const ticks = this.times.length
    const writer = new ByteWriter()
    writer.unsigned(ticks)
    writeSeries(writer, this.times)
    writer.unsigned(this.#fields.size)
    const own = new ByteWriter()
    for (const field of this.#fields.keys()) {
      const { things, values } = this.#table(field)
      writer.unsigned(field)
      const order = [...things.keys()].toSorted((a, b) => things[a]! - things[b]!)
      own.unsigned(things.length)
      writeSeries(
        own,
        order.map((row) => things[row]!),
      )
      for (const row of order) writeSeries(own, values.subarray(row * ticks, (row + 1) * ticks))
      writer.take(own)
    }
    return writer.finish()
  }

  /** Row after row, with the samples of all ticks. */
  #table(field: number): { things: number[]; values: Float64Array } {
    const parts = this.#fields.get(field) ?? []
    const ticks = this.times.length
    const rowOf = rowsOf(parts.map(({ column }) => column.things))
    const values = new Float64Array(rowOf.things.length * ticks).fill(absent.skipped)
    for (const { tick, column } of parts)
      for (let n = 0; n < column.things.length; n++)
        values[rowOf.row(column.things[n]!, n) * ticks + tick] = column.values[n]!
    return { things: rowOf.things, values }
  }
}

/** A row for each thing. Usually all ticks have the same things, which then need no search. */
function rowsOf(all: readonly ArrayLike<number>[]): {
  things: number[]
  row: (thing: number, n: number) => number
} {
  const [first = []] = all
  if (all.every((things) => isSame(things, first)))
    return { things: Array.from(first), row: (_thing, n) => n }
  const rows = new Map<number, number>()
  for (const things of all)
    for (let n = 0; n < things.length; n++) if (!rows.has(things[n]!)) rows.set(things[n]!, rows.size)
  return { things: [...rows.keys()], row: (thing) => rows.get(thing)! }
}

function isSame(one: ArrayLike<number>, other: ArrayLike<number>): boolean {
  if (one === other) return true
  if (one.length !== other.length) return false
  for (let n = 0; n < one.length; n++) if (one[n] !== other[n]) return false
  return true
}

function placeOf(thing: number, things: ArrayLike<number>): number {
  for (let n = 0; n < things.length; n++) if (things[n] === thing) return n
  return -1
}

/** A finished segment, read by field. */
export class Segment {
  readonly times: number[] = []
  readonly #fields = new Map<number, Uint8Array>()

  constructor(bytes: Uint8Array) {
    const reader = new ByteReader(bytes)
    readSeries(reader, reader.unsigned(), this.times)
    for (let left = reader.unsigned(); left > 0; left--) this.#fields.set(reader.unsigned(), reader.block())
  }

  fields(): Iterable<number> {
    return this.#fields.keys()
  }

  /** Undefined without samples of the field. */
  cursor(field: number): SegmentCursor | undefined {
    const bytes = this.#fields.get(field)
    return bytes && new SegmentCursor(bytes, this.times.length)
  }

  /** The samples of every thing, in the same array each time: a large estate has many things. */
  visit(field: number, use: Use): void {
    const cursor = this.cursor(field)
    const samples = new Float64Array(this.times.length)
    for (let thing = cursor?.thing; thing !== undefined; thing = cursor?.thing) {
      cursor!.read(samples)
      use(thing, samples)
    }
  }

  samples(field: number, thing: number): Float64Array | undefined {
    const cursor = this.cursor(field)
    if (!cursor?.skipTo(thing)) return undefined
    const samples = new Float64Array(this.times.length)
    cursor.read(samples)
    return samples
  }
}

/** Goes through the series of a field, in the order of the numbers of the things. */
export class SegmentCursor {
  readonly #reader: ByteReader
  readonly #things: Float64Array
  readonly #ticks: number
  #at = 0

  constructor(bytes: Uint8Array, ticks: number) {
    this.#reader = new ByteReader(bytes)
    this.#things = new Float64Array(this.#reader.count())
    readSamples(this.#reader, this.#things)
    this.#ticks = ticks
  }

  /** The one that `read` reads; undefined at the end. */
  get thing(): number | undefined {
    return this.#things[this.#at]
  }

  /** `into` has a place for each tick. */
  read(into: Float64Array): void {
    readSamples(this.#reader, into)
    this.#at++
  }

  /** False if the thing has no samples. */
  skipTo(thing: number): boolean {
    const at = this.#things.indexOf(thing, this.#at)
    if (at < 0) return false
    this.#reader.skipUnsigned((at - this.#at) * this.#ticks)
    this.#at = at
    return true
  }
}

/** The samples of the wanted things, which are valid until `use` returns. */
export function readSegment(
  segment: Segment | OpenSegment,
  field: number,
  wanted: ReadonlyMap<number, unknown>,
  use: Use,
) {
  if (wanted.size === 1) {
    const [thing] = [...wanted.keys()]
    const samples = segment.samples(field, thing!)
    if (samples) use(thing!, samples)
    return
  }
  segment.visit(field, (thing, samples) => {
    if (wanted.has(thing)) use(thing, samples)
  })
}
