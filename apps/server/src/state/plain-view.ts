import type { PlainState } from '@pulse/contract'
import { type Clock, toPlain } from '@pulse/domain'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { State } from './state.ts'

const compress = promisify(gzip)

/** The documented form of the state as JSON, built at most once per change however many ask. */
export interface PlainView {
  state(): PlainState
  json(): Buffer
  gzip(): Promise<Buffer>
}

/** Uptimes in it are at most this old. */
const MAX_AGE_MS = 1_000

export function createPlainView(state: State, clock: Clock): PlainView {
  let cached: { version: number; at: number; json: Buffer; zipped?: Promise<Buffer> } | undefined

  const build = () => toPlain(state.tables, state.meta, clock.now())
  function current() {
    const now = clock.now()
    if (!cached || cached.version !== state.version || now - cached.at > MAX_AGE_MS) {
      cached = { version: state.version, at: now, json: Buffer.from(JSON.stringify(build())) }
    }
    return cached
  }

  return {
    state: build,
    json: () => current().json,
    gzip: () => {
      const now = current()
      return (now.zipped ??= compress(now.json, { level: 1 }))
    },
  }
}
