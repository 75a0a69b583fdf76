import type { PlainState } from '@pulse/contract'
import { type Clock, type KeptBodies, plainJson, plainStats } from '@pulse/domain'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { inTurns } from '../polling/turns.ts'
import type { State } from './state.ts'

const compress = promisify(gzip)

interface Built {
  version: number
  /** monotonic ms of the state that it shows */
  at: number
  rawData: Buffer
  /** lies within `rawData` */
  json: Buffer
  initialState?: Buffer
  zipped?: Promise<Buffer>
}

/** The documented form of the state as JSON, built in steps that nobody has to wait for, and once however many ask. */
export interface PlainView {
  /** At most a second old; a source that was removed since is not in it any more. */
  json(): Promise<Buffer>
  gzip(): Promise<Buffer>
  /** The same in its envelope, one buffer for everybody who gets it; `rawData` is as new as when it was asked for. */
  frame(type: 'initialState' | 'rawData'): Promise<Buffer>
  stats(): PlainState['stats']
  stop(): void
}

/** One piece of output: every further one would wait for its turn on the event loop. */
const CHUNK_BYTES = 1024 * 1024

/** Sent to all who listen, so that the JSON alone is a part of it and no copy. */
const rawData = { before: Buffer.from('{"type":"rawData","data":'), after: Buffer.from('}') }
const initialState = { before: Buffer.from('{"type":"initialState","data":'), after: Buffer.from('}') }

const MAX_AGE_MS = 1_000
/** While somebody asks again and again, the next one is made before this one is too old. */
const RENEW_AFTER_MS = 700
const ASKED_WITHIN_MS = 5_000
/** Then nothing of it is kept. */
const FORGET_AFTER_MS = 30_000

export function createPlainView(state: State, clock: Clock): PlainView {
  let built: Built | undefined
  let building: Promise<Built> | undefined
  let bodies: KeptBodies = new WeakMap()
  let askedAt = -Infinity
  let zipAskedAt = -Infinity
  let usedAt = -Infinity
  let cancelLook = () => {}
  let isStopped = false

  /** what is older shows a source that is gone */
  let oldest = 0
  const unsubscribe = state.subscribe((patch) => {
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
    const pieces = await inTurns(plainJson(state.tables, state.meta, clock.now(), bodies))
    const frame = Buffer.concat([rawData.before, ...pieces.map((piece) => Buffer.from(piece)), rawData.after])
    const json = frame.subarray(rawData.before.length, frame.length - rawData.after.length)
    const made: Built = { version, at, rawData: frame, json }
    // Whoever wants it compressed gets the one before until this one is.
    if (isWithin(zipAskedAt, ASKED_WITHIN_MS)) await zip(made)
    return (built = made)
  }

  const zip = (one: Built) => (one.zipped ??= compress(one.json, { level: 1, chunkSize: CHUNK_BYTES }))

  function recent(): Promise<Built> {
    usedAt = askedAt = clock.monotonic()
    return isGood(built, oldest) ? Promise.resolve(built) : notBefore(oldest)
  }

  /** Renews it while it is asked for, and lets go of it when nobody has used it for a while. */
  function look() {
    cancelLook()
    if (isStopped) return
    const renewInMs = built ? built.at + RENEW_AFTER_MS - clock.monotonic() : 0
    const nextMs = renewInMs > 0 ? renewInMs : RENEW_AFTER_MS // one that could not be made is no reason to hurry
    cancelLook = clock.after(isWithin(askedAt, ASKED_WITHIN_MS) ? nextMs : ASKED_WITHIN_MS, () => {
      if (isWithin(askedAt, ASKED_WITHIN_MS)) {
        build().catch(() => {}) // whoever asks next is told
      } else if (isWithin(usedAt, FORGET_AFTER_MS)) {
        look()
      } else {
        built = undefined
        bodies = new WeakMap()
      }
    })
  }

  /** With everything that is known by now. */
  async function newest(): Promise<Built> {
    const { version } = state
    usedAt = clock.monotonic()
    return isGood(built, version) ? built : notBefore(version)
  }

  /** One that is being made may have begun too early. */
  async function notBefore(version: number): Promise<Built> {
    const one = await build()
    return isGood(one, version) ? one : build()
  }

  return {
    json: async () => (await recent()).json,
    async frame(type) {
      if (type === 'rawData') return (await newest()).rawData
      const now = await recent()
      return (now.initialState ??= Buffer.concat([initialState.before, now.json, initialState.after]))
    },
    async gzip() {
      zipAskedAt = clock.monotonic()
      return zip(await recent())
    },
    stats: () => plainStats(state.meta, clock.now()),
    stop() {
      isStopped = true
      unsubscribe()
      cancelLook()
    },
  }
}
