import { absent, isSample, precisionOf, type SampledField } from '@pulse/domain'
import { gapCodes, gapMetric, metricOf } from './series.ts'

// The messages of Prometheus remote write 1.0, whose numbers are fixed:
//   WriteRequest { repeated TimeSeries timeseries = 1; }
//   TimeSeries { repeated Label labels = 1; repeated Sample samples = 2; }
//   Label { string name = 1; string value = 2; }
//   Sample { double value = 1; int64 timestamp = 2; }
const seriesTag = 0x0a
const labelTag = 0x0a
const sampleTag = 0x12
const nameTag = 0x0a
const valueTag = 0x12
const doubleTag = 0x09
const timestampTag = 0x10

/** A whole number of at least 0, in groups of seven bits. */
function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  bytes.push(rest)
  return bytes
}

function textField(tag: number, text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([tag, ...varint(bytes.length)]), bytes])
}

/** A label of a series. Those of a series are in the order of their names. */
export function labelBytes(name: string, value: string): Buffer {
  const label = Buffer.concat([textField(nameTag, name), textField(valueTag, value)])
  return Buffer.concat([Buffer.from([labelTag, ...varint(label.length)]), label])
}

/** The labels of a figure, before and after the `id` of the thing. */
export interface FigureLabels {
  value: { before: Buffer; after: Buffer }
  gap: { before: Buffer; after: Buffer }
  fromStored: (stored: number) => number
}

export function figureLabels(field: SampledField): FigureLabels {
  const metric = metricOf(field)
  const after = labelBytes('kind', field.kind)
  return {
    value: { before: labelBytes('__name__', metric), after },
    gap: {
      before: Buffer.concat([labelBytes('__name__', gapMetric), labelBytes('figure', metric)]),
      after,
    },
    fromStored: precisionOf[field.unit].fromStored,
  }
}

/** The samples of one figure at one tick. */
export interface FigureSamples {
  labels: FigureLabels
  /** the label of each thing */
  ids: readonly Buffer[]
  /** stored values, or why there is none */
  values: ArrayLike<number>
}

/** A request has about so many bytes: stores refuse those above 32 MB. */
const bytesPerRequest = 2_000_000

/** The samples of a tick as requests. */
export function* writeRequests(at: number, figures: readonly FigureSamples[]): Generator<Buffer, void> {
  const timestamp = Buffer.from([timestampTag, ...varint(at)])
  const sampleLength = 9 + timestamp.length
  const sampleHead = Buffer.from([sampleTag, sampleLength, doubleTag])
  let parts: Buffer[] = []
  let size = 0
  for (const { labels, ids, values } of figures)
    for (let n = 0; n < ids.length; n++) {
      const point = pointOf(labels, values[n]!)
      if (point === undefined) continue
      const { before, after } = point.labels
      const id = ids[n]!
      const length = before.length + id.length + after.length + 2 + sampleLength
      const value = Buffer.allocUnsafe(8)
      value.writeDoubleLE(point.value)
      parts.push(Buffer.from([seriesTag, ...varint(length)]), before, id, after, sampleHead, value, timestamp)
      size += length
      if (size < bytesPerRequest) continue
      yield Buffer.concat(parts)
      parts = []
      size = 0
    }
  if (parts.length > 0) yield Buffer.concat(parts)
}

function pointOf({ value, gap, fromStored }: FigureLabels, stored: number) {
  if (isSample(stored)) return { labels: value, value: fromStored(stored) }
  if (stored === absent.silent) return { labels: gap, value: gapCodes.silent }
  return stored === absent.stopped ? { labels: gap, value: gapCodes.stopped } : undefined
}

/** Longest literal: its length takes two bytes. */
const literalBytes = 65_536

/**
 * A block in the format of Snappy that is not compressed: literals only. Every decoder reads it, and on a local
 * network the bytes cost less than the work.
 */
export function snappyBlock(bytes: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from(varint(bytes.length))]
  for (let at = 0; at < bytes.length; at += literalBytes) {
    const literal = bytes.subarray(at, at + literalBytes)
    const head = Buffer.from([61 << 2, 0, 0])
    head.writeUInt16LE(literal.length - 1, 1)
    parts.push(head, literal)
  }
  return Buffer.concat(parts)
}
