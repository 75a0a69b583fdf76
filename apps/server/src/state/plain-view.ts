import type { PlainState, RecordKind } from '@pulse/contract'
import { type Clock, createPlainWriter, type PlainDocument, type PlainPart, plainStats } from '@pulse/domain'
import { joined } from '../polling/joined.ts'
import { runYielding } from '../timing/yield.ts'
import { createPlainZip } from './plain-zip.ts'
import type { State } from './state.ts'

interface Built {
  version: number
  /** monotonic ms of the state that it shows */
  at: number
  parts: readonly PlainPart<Buffer>[]
  list: PlainDocument<Buffer>['list']
  /** made on first request, like the fields below */
  rawData?: Promise<Buffer>
  /** a slice of `rawData` */
  json?: Promise<Buffer>
  initialState?: Promise<Buffer>
  zipped?: Promise<Buffer>
}

/** An object. Each field names the path of a list in the documented state, or a nested object. */
export interface Selection {
  readonly [field: string]: string | Selection
}

/** The documented form of the state as JSON, built in steps and once for all clients. */
export interface PlainView {
  /** At most a second old, and never with a source that was removed since. */
  json(): Promise<Buffer>
  gzip(): Promise<Buffer>
  /** A JSON object with selected lists, of the same age. */
  some(selection: Selection): Promise<Buffer>
  /** The same in its envelope, one buffer shared by all clients. `rawData` is as new as the request. */
  frame(type: 'initialState' | 'rawData'): Promise<Buffer>
  stats(): PlainState['stats']
  stop(): void
}

/** Sent to all subscribers. The JSON alone is a slice of this buffer and no copy. */
const rawData = { before: Buffer.from('{"type":"rawData","data":'), after: Buffer.from('}') }
const initialState = { before: Buffer.from('{"type":"initialState","data":'), after: Buffer.from('}') }

const MAX_AGE_MS = 1_000
/** While clients keep asking, the next view is made before this one expires; earlier if that takes long. */
const RENEW_AFTER_MS = { most: 700, least: 300 }
const ASKED_WITHIN_MS = 5_000
/** An unused view is released after this time. */
const FORGET_AFTER_MS = 30_000

/** `onFault`: a record could not be written. */
export function createPlainView(state: State, clock: Clock, onFault?: (error: unknown) => void): PlainView {
  let built: Built | undefined
  let building: Promise<Built> | undefined
  const writer = createPlainWriter((text) => Buffer.from(text), onFault)
  const zips = createPlainZip()
  let tookMs = 0
  let askedAt = -Infinity
  let zipAskedAt = -Infinity
  let wholeAskedAt = -Infinity
  let usedAt = -Infinity
  let cancelLook = () => {}
  let isStopped = false

  /** an older version shows a removed source */
  let oldest = 0
  const unsubscribe = state.subscribe((patch) => {
    writer.changed(Object.keys(patch) as RecordKind[])
    if (patch.sources?.remove.size) oldest = state.version
  })

  const isWithin = (at: number, ms: number) => clock.monotonic() - at <= ms

  const isGood = (one: Built | undefined, version: number): one is Built =>
    one !== undefined && one.version >= version && isWithin(one.at, MAX_AGE_MS)

  function build(): Promise<Built> {
    building ??= make().finally(() => {
      building = undefined
      look()
    })
    return building
  }

  async function make(): Promise<Built> {
    const [version, at] = [state.version, clock.monotonic()]
    const { parts, list } = await runYielding(writer.write(state.tables, state.meta, clock.now()))
    const made: Built = { version, at, parts, list }
    // Until it is complete, clients get the previous one, plain or compressed.
    if (isWithin(wholeAskedAt, ASKED_WITHIN_MS)) await rawDataOf(made)
    if (isWithin(zipAskedAt, ASKED_WITHIN_MS)) await zip(made)
    else zips.forget()
    tookMs = clock.monotonic() - at
    return (built = made)
  }

  const zip = (one: Built) => (one.zipped ??= zips.gzip(one.parts))

  const framed = (one: Built, { before, after }: typeof rawData) =>
    joined([before, ...one.parts.flatMap(({ pieces }) => pieces), after])

  const rawDataOf = (one: Built) => (one.rawData ??= framed(one, rawData))

  const jsonOf = (one: Built) =>
    (one.json ??= rawDataOf(one).then((whole) =>
      whole.subarray(rawData.before.length, whole.length - rawData.after.length),
    ))

  function recent(): Promise<Built> {
    usedAt = askedAt = clock.monotonic()
    return isGood(built, oldest) ? Promise.resolve(built) : notBefore(oldest)
  }

  /** Renews the view while clients ask for it, and releases it when it was not used for a while. */
  function look() {
    cancelLook()
    if (isStopped) return
    const { most, least } = RENEW_AFTER_MS
    const afterMs = Math.max(least, most - tookMs)
    const renewInMs = built ? built.at + afterMs - clock.monotonic() : 0
    const nextMs = renewInMs > 0 ? renewInMs : afterMs // a failed build does not shorten the interval
    cancelLook = clock.after(isWithin(askedAt, ASKED_WITHIN_MS) ? nextMs : ASKED_WITHIN_MS, () => {
      if (isWithin(askedAt, ASKED_WITHIN_MS)) {
        build().catch(() => {}) // the next request gets the error
      } else if (isWithin(usedAt, FORGET_AFTER_MS)) {
        look()
      } else {
        built = undefined
        writer.forget()
        zips.forget()
      }
    })
  }

  /** A view that includes all current data. */
  async function newest(): Promise<Built> {
    const { version } = state
    usedAt = clock.monotonic()
    return isGood(built, version) ? built : notBefore(version)
  }

  /** A build under way may have begun too early, so a second one may be necessary. */
  async function notBefore(version: number): Promise<Built> {
    const one = await build()
    return isGood(one, version) ? one : build()
  }

  return {
    async json() {
      wholeAskedAt = clock.monotonic()
      return jsonOf(await recent())
    },
    async frame(type) {
      if (type === 'rawData') return rawDataOf(await newest())
      const now = await recent()
      return (now.initialState ??= framed(now, initialState))
    },
    async gzip() {
      zipAskedAt = clock.monotonic()
      return zip(await recent())
    },
    async some(selection) {
      const { list } = await recent()
      return joined([...pieces(selection, list)])
    },
    stats: () => plainStats(state.meta, clock.now()),
    stop() {
      isStopped = true
      unsubscribe()
      cancelLook()
    },
  }
}

function* pieces(selection: Selection, list: Built['list']): Generator<Buffer> {
  let separator = '{'
  for (const [field, value] of Object.entries(selection)) {
    yield Buffer.from(`${separator}"${field}":`)
    separator = ','
    if (typeof value === 'string') yield* list(value)
    else yield* pieces(value, list)
  }
  yield Buffer.from('}')
}
