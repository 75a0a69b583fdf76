import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '@pulse/domain'
import type { Outbound } from '../outbound/guard.ts'
import { OutboundError } from '../outbound/outbound-error.ts'
import { readReleases, type Release } from './feed.ts'
import { spaceError, UpdateError } from './update-error.ts'

const LIST_LIMIT_MS = 20_000
/** Long, because a line may be slow. */
const ARCHIVE_LIMIT_MS = 60 * 60_000
/** A connection without data for this long is considered dead. */
const STILL_MS = 60_000

export interface FeedAnswer {
  releases: Release[]
  etag: string | undefined
}

export interface FeedClient {
  /** Undefined when nothing has changed since the answer with this ETag. */
  list(etag: string | undefined, signal: AbortSignal): Promise<FeedAnswer | undefined>
  /** A file of at most 1 MB. */
  small(url: string, signal: AbortSignal): Promise<Buffer>
  /** Writes a file of at most `maxBytes` and returns its size and checksum; calls `onBytes` with the bytes so far. */
  archive(
    url: string,
    file: string,
    maxBytes: number,
    onBytes: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<{ bytes: number; sha256: string }>
}

/** Requests public files without any secret. Files may be on other servers than the list. */
export function createFeedClient(
  outbound: Outbound,
  { feed, version, clock }: { feed: string; version: string; clock: Clock },
): FeedClient {
  const base = { method: 'GET', body: '', anywhere: true }
  const agent = { 'user-agent': `Pulse/${version}` }

  async function call(...[wanted, signal]: Parameters<Outbound['call']>) {
    try {
      return await outbound.call(wanted, signal)
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      throw new UpdateError('feed', `The release feed: ${error.message}`, { cause: error })
    }
  }

  function requireGood(status: number, what: string): void {
    if (status === 200) return
    const reason =
      status === 403 || status === 429 ? 'rate-limits requests for now' : 'did not return the requested file'
    throw new UpdateError('feed', `The release feed ${reason} (${what}: ${status}).`)
  }

  return {
    async list(etag, signal) {
      const headers = { ...agent, accept: 'application/json', ...(etag && { 'if-none-match': etag }) }
      const answer = await call({ ...base, url: feed, headers, limitMs: LIST_LIMIT_MS }, signal)
      if (answer.status === 304 && etag) return undefined
      requireGood(answer.status, 'the list')
      return { releases: readReleases(answer.body.toString('utf8')), etag: answer.headers.etag }
    },
    async small(url, signal) {
      const { status, body } = await call({ ...base, url, headers: agent, limitMs: LIST_LIMIT_MS }, signal)
      requireGood(status, new URL(url).pathname)
      return body
    },
    async archive(url, file, maxBytes, onBytes, signal) {
      const hash = createHash('sha256')
      const stillness = watchStillness(clock)
      let bytes = 0
      let failure: unknown
      async function* counted(body: AsyncIterable<Buffer>) {
        for await (const chunk of body) {
          stillness.moved()
          bytes += chunk.length
          if (bytes > maxBytes)
            throw new UpdateError('checksum', 'The archive is larger than the published one.')
          hash.update(chunk)
          onBytes(bytes)
          yield chunk
        }
      }
      const take = (body: AsyncIterable<Buffer>) =>
        pipeline(body, counted, fs.createWriteStream(file, { mode: 0o600, flush: true })).catch(
          (error: unknown) => {
            failure = error
            throw error
          },
        )
      const wanted = { ...base, url, headers: agent, limitMs: ARCHIVE_LIMIT_MS, take }
      const { status } = await call(wanted, AbortSignal.any([signal, stillness.signal]))
        .catch((error: unknown) => {
          // a local error takes precedence
          throw failure instanceof UpdateError ? failure : (spaceError(failure) ?? error)
        })
        .finally(stillness.end)
      requireGood(status, new URL(url).pathname)
      return { bytes, sha256: hash.digest('hex') }
    },
  }
}

/** Aborts a signal when no data arrives for a while. */
function watchStillness(clock: Clock) {
  const abort = new AbortController()
  const wait = () =>
    clock.after(STILL_MS, () => abort.abort(new OutboundError(`no data received for ${STILL_MS / 1000} s`)))
  let cancel = wait()
  return {
    signal: abort.signal,
    moved() {
      cancel()
      cancel = wait()
    },
    end: () => cancel(),
  }
}
