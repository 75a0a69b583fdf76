import { recordSchemas } from '@pulse/contract'
import { type Frame, recordsPerFrame } from '@pulse/domain'
import type { SentFrame } from './field-changes.ts'
import { createFieldReader, type Reading } from './field-reader.ts'
import type { FramePlace } from '../nats/subjects.ts'
import { type Bounds, createBaseBound } from './foreign-holdings.ts'
import { isForeign } from './foreign-records.ts'
import { mostBytes, packed, type Part, PartJoiner, toParts, unpacked } from '../nats/parts.ts'

/** of its parts */
const mostFrameBytes = 8 * 1024 * 1024

/**
 * A frame of a foreign collector. The largest one of 2,450 guests with 9,700 backups has 311 kB, 53 kB packed, and some tens of
 * values for each of its records.
 */
const mostForeign = { packedBytes: 1024 * 1024, bytes: 4 * 1024 * 1024, kinds: 100, values: 250_000 }
/** Between two bases of a source. A base follows when the changes are some times as large as the last one. */
const mostForeignNumbers = 2_500_000

/** A frame as messages, each within the limit of the server. It has 500 records at most. */
export const encodeFrame = (frame: SentFrame): Uint8Array[] => toParts(packed(JSON.stringify(frame)))

/** Joins the parts of one source's frames, and completes them. Whatever is not a frame of that source is refused. */
export class FrameJoiner {
  readonly #source: string
  readonly #isForeign: boolean
  readonly #bound: ReturnType<typeof createBaseBound> | undefined
  readonly #parts: PartJoiner
  readonly #complete: ReturnType<typeof createFieldReader>

  /** `mostHeld`: of a foreign source */
  constructor({ site, source }: FramePlace, mostHeld?: Bounds) {
    this.#source = source
    this.#isForeign = isForeign(site)
    this.#parts = new PartJoiner(this.#isForeign ? mostForeign.packedBytes : mostFrameBytes)
    this.#complete = createFieldReader(this.#isForeign ? mostForeignNumbers : Infinity)
    this.#bound = this.#isForeign ? createBaseBound(mostHeld) : undefined
  }

  get heldBytes(): number {
    return this.#parts.heldBytes
  }

  clear() {
    this.#parts.clear()
  }

  /**
   * The frame with its last part; undefined before that, if a part is missing, or if it came before. `gap`: a frame before
   * it is missing. Throws if it is no frame; then it needs a base. `isUnseen`: the frames since the base were given to
   * no one who keeps their records as they are; they change with this one, also if it throws, and are not named
   * again unless the source is that of another site.
   */
  take(part: Part, reading?: Reading): Frame | 'gap' | undefined {
    try {
      const whole = this.#parts.take(part)
      if (!whole) return undefined
      const sent = checked(contentOf(whole, this.#isForeign), this.#source)
      const frame = this.#complete(this.#isForeign ? bounded(sent) : sent, reading)
      if (frame && frame !== 'gap') this.#bound?.take(frame)
      return frame
    } catch (error) {
      this.#parts.clear()
      this.#complete.lose()
      this.#bound?.lose()
      throw error
    }
  }
}

function contentOf(whole: Buffer, isBounded: boolean): unknown {
  const json = unpackedFrame(whole, isBounded ? mostForeign.bytes : mostBytes)
  if (isBounded && mostValues(json) > mostForeign.values) throw wrong('too many values')
  try {
    return JSON.parse(json.toString())
  } catch {
    // its text quotes what a stranger has sent
    throw wrong('no JSON')
  }
}

function unpackedFrame(whole: Buffer, most: number): Buffer {
  try {
    return unpacked(whole, most)
  } catch {
    throw wrong('no content, or too much')
  }
}

const [comma, list, object] = [...Buffer.from(',[{')]

/** Each value that JSON.parse would make follows one of these, which may also be in a text. */
function mostValues(json: Buffer): number {
  let count = 1
  for (const byte of json) if (byte === comma || byte === list || byte === object) count++
  return count
}

/** Without the kinds that this version does not know: nothing of them is kept. */
function bounded(sent: SentFrame): SentFrame {
  const kinds = Object.entries(sent.records)
  if (kinds.length > mostForeign.kinds) throw wrong('too many kinds')
  if (changedRecords(sent) > recordsPerFrame) throw wrong('too many records')
  return {
    ...sent,
    records: Object.fromEntries(kinds.filter(([kind]) => Object.hasOwn(recordSchemas, kind))),
  }
}

function changedRecords({ records }: SentFrame): number {
  let count = 0
  for (const { put, remove, set = {}, unset = {} } of Object.values(records)) {
    const numbers = new Set<number>(Object.values(unset).flat())
    for (const { i } of Object.values(set)) {
      let number = 0
      for (const step of i) numbers.add((number += step))
    }
    count += put.length + remove.length + numbers.size
  }
  return count
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isEntry = (value: unknown) =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && isObject(value[1])

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((one) => Number.isSafeInteger(one))
const isColumn = (value: unknown) =>
  isObject(value) &&
  isNumbers(value['i']) &&
  Array.isArray(value['v']) &&
  value['i'].length === value['v'].length

const wrong = (what: string) => new TypeError(`a frame has ${what}`)

/** The shape that the state relies on. */
function checked(value: unknown, source: string): SentFrame {
  if (!isObject(value)) throw wrong('no fields')
  if (value['source'] !== source) throw wrong('another source than its subject')
  if (typeof value['run'] !== 'string' || value['run'].length > 100) throw wrong('no run')
  if (!Number.isSafeInteger(value['sequence']) || Number(value['sequence']) < 1) throw wrong('no sequence')
  if (!isObject(value['records'])) throw wrong('no records')
  for (const changes of Object.values(value['records'])) {
    if (!isObject(changes)) throw wrong('no changes of a kind')
    const { put, remove, set = {}, unset = {} } = changes
    if (!Array.isArray(put) || !put.every(isEntry)) throw wrong('changes that are no records')
    if (!Array.isArray(remove) || !remove.every((id) => typeof id === 'string'))
      throw wrong('removals that are no ids')
    if (!isObject(set) || !Object.values(set).every(isColumn)) throw wrong('fields that are no columns')
    if (!isObject(unset) || !Object.values(unset).every(isNumbers)) throw wrong('fields of no records')
  }
  const { state, promiseMs, overdueError } = value
  if (state !== undefined && !isObject(state)) throw wrong('no state of its source')
  if (promiseMs !== undefined && !Number.isFinite(promiseMs)) throw wrong('no promise')
  if (overdueError !== undefined && typeof overdueError !== 'string') throw wrong('no text of its error')
  return value as unknown as SentFrame
}
