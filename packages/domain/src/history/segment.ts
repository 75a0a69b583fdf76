import { ByteReader, ByteWriter } from './bytes.ts'
import { absent, readSamples, readSeries, writeSeries } from './series.ts'

/** The samples of one field at one tick: stored values by the number of the thing. */
export interface Column {
  field: number
  things: ArrayLike<number>
  values: ArrayLike<number>
}

/** The samples of all things within one minute: what a kill loses at most. */
export class OpenSegment {
  /** of the ticks, in ms since 1970 */
  readonly times: number[] = []
  readonly #fields = new Map<number, Map<number, number[]>>()

  add(at: number, columns: readonly Column[]): void {
    const tick = this.times.push(at) - 1
    for (const { field, things, values } of columns) {
      let series = this.#fields.get(field)
      if (!series) this.#fields.set(field, (series = new Map()))
      for (let n = 0; n < things.length; n++) {
        const samples = series.get(things[n]!)
        if (samples) {
          while (samples.length < tick) samples.push(absent.skipped)
          samples.push(values[n]!)
        } else if (tick === 0) series.set(things[n]!, [values[n]!])
        else series.set(things[n]!, [...Array<number>(tick).fill(absent.skipped), values[n]!])
      }
    }
  }

  /** The samples of every thing. */
  *column(field: number): Generator<[thing: number, samples: number[]], void> {
    for (const thing of this.#fields.get(field)?.keys() ?? []) yield [thing, this.samples(field, thing)!]
  }

  /** As of a finished segment. */
  visit(field: number, use: (thing: number, samples: ArrayLike<number>) => void): void {
    for (const [thing, samples] of this.#fields.get(field) ?? []) use(thing, samples)
  }

  samples(field: number, thing: number): number[] | undefined {
    const known = this.#fields.get(field)?.get(thing)
    if (!known) return undefined
    const samples = [...known]
    while (samples.length < this.times.length) samples.push(absent.skipped)
    return samples
  }

  encode(): Uint8Array {
    const writer = new ByteWriter()
    writer.unsigned(this.times.length)
    writeSeries(writer, this.times)
    writer.unsigned(this.#fields.size)
    for (const [field, series] of this.#fields) {
      writer.unsigned(field)
      const own = new ByteWriter()
      const things = [...series.keys()].toSorted((a, b) => a - b)
      own.unsigned(things.length)
      writeSeries(own, things)
      for (const thing of things) writeSeries(own, this.samples(field, thing)!)
      writer.block(own.finish())
    }
    return writer.finish()
  }
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

  /** The samples of every thing, in the order of the numbers of the things. */
  *column(field: number): Generator<[thing: number, samples: number[]], void> {
    const bytes = this.#fields.get(field)
    if (!bytes) return
    const reader = new ByteReader(bytes)
    const things: number[] = []
    readSeries(reader, reader.unsigned(), things)
    for (const thing of things) {
      const samples: number[] = []
      readSeries(reader, this.times.length, samples)
      yield [thing, samples]
    }
  }

  /** The samples of every thing, in the same array each time: a large estate has many things. */
  visit(field: number, use: (thing: number, samples: ArrayLike<number>) => void): void {
    const bytes = this.#fields.get(field)
    if (!bytes) return
    const reader = new ByteReader(bytes)
    const things: number[] = []
    readSeries(reader, reader.unsigned(), things)
    const samples = new Float64Array(this.times.length)
    for (const thing of things) {
      readSamples(reader, samples)
      use(thing, samples)
    }
  }

  samples(field: number, thing: number): number[] | undefined {
    for (const [one, samples] of this.column(field)) {
      if (one === thing) return samples
      if (one > thing) return undefined
    }
    return undefined
  }
}

/** The samples of the wanted things. */
export function readSegment(
  segment: Segment | OpenSegment,
  field: number,
  wanted: ReadonlyMap<number, unknown>,
  use: (thing: number, samples: number[]) => void,
) {
  if (wanted.size === 1) {
    const [thing] = [...wanted.keys()]
    const samples = segment.samples(field, thing!)
    if (samples) use(thing!, samples)
    return
  }
  for (const [thing, samples] of segment.column(field)) if (wanted.has(thing)) use(thing, samples)
}
