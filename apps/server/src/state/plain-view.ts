import type { PlainState } from '@pulse/contract'
import { type Clock, type KeptBodies, plainJson, plainStats } from '@pulse/domain'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { State } from './state.ts'

const compress = promisify(gzip)

interface Built {
  version: number
  /** monotonic ms */
  at: number
  rawData: Buffer
  /** lies within `rawData` */
  json: Buffer
  initialState?: Buffer
  zipped?: Promise<Buffer>
}

/** The documented form of the state as JSON, built at most once per change however many ask. */
export interface PlainView {
  json(): Buffer
  /** The same in its envelope, one buffer for everybody who gets it. */
  frame(type: 'initialState' | 'rawData'): Buffer
  gzip(): Promise<Buffer>
  stats(): PlainState['stats']
}

/** One piece of output: every further one would wait for its turn on the event loop. */
const CHUNK_BYTES = 1024 * 1024

/** Sent to all who listen, so that the JSON alone is a part of it and no copy. */
const rawData = { before: '{"type":"rawData","data":', after: '}' }

/** Uptimes in it are at most this old. */
const MAX_AGE_MS = 1_000

export function createPlainView(state: State, clock: Clock): PlainView {
  let cached: Built | undefined
  const bodies: KeptBodies = new WeakMap()

  function current() {
    const at = clock.monotonic()
    if (!cached || cached.version !== state.version || at - cached.at > MAX_AGE_MS) {
      const frame = Buffer.from(rawData.before + build(clock.now()) + rawData.after)
      const json = frame.subarray(rawData.before.length, frame.length - rawData.after.length)
      cached = { version: state.version, at, rawData: frame, json }
    }
    return cached
  }

  function build(now: number): string {
    const steps = plainJson(state.tables, state.meta, now, bodies)
    let step = steps.next()
    while (!step.done) step = steps.next()
    return step.value.join('')
  }

  return {
    json: () => current().json,
    frame(type) {
      const now = current()
      if (type === 'rawData') return now.rawData
      return (now.initialState ??= Buffer.concat([
        Buffer.from('{"type":"initialState","data":'),
        now.json,
        Buffer.from('}'),
      ]))
    },
    gzip: () => {
      const now = current()
      return (now.zipped ??= compress(now.json, { level: 1, chunkSize: CHUNK_BYTES }))
    },
    stats: () => plainStats(state.meta, clock.now()),
  }
}
