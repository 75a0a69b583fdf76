import type { Clock } from '@pulse/domain'
import { Readable } from 'node:stream'
import { AppError } from '../app-error.ts'
import type { Caller } from '../auth/caller.ts'
import { FileReply } from '../http/route.ts'

/** Each holds a part of some MB until its caller takes it. */
const mostOpen = 8
/** A caller that takes nothing for so long makes room for another. */
const stalledMs = 30_000
/** The brackets of the first two objects, and the first part that is read. */
const firstParts = 3
const headers = { 'content-type': 'application/json; charset=utf-8' }

const tooMany = () =>
  new AppError('history_unavailable', 'Too many calls read charts. Try again in a few seconds.')

type Parts = AsyncGenerator<string | Uint8Array, void>

interface OpenAnswer {
  /** monotonic; since when a part waits for its caller. Undefined while the caller waits for a part. */
  offeredAt: number | undefined
  end(): void
}

/**
 * Answers with JSON in parts, as the caller takes them. The first parts are made at once, so that a failure at the
 * beginning is an error answer.
 */
export function createChartReplies(clock: Pick<Clock, 'monotonic'>) {
  const open = new Set<OpenAnswer>()

  function makeRoom() {
    if (open.size < mostOpen) return
    const offered = (one: OpenAnswer) => one.offeredAt ?? Infinity
    const slowest = [...open].reduce((one, other) => (offered(other) < offered(one) ? other : one))
    if (clock.monotonic() - offered(slowest) < stalledMs) throw tooMany()
    slowest.end()
  }

  return async function reply({ method }: Pick<Caller, 'method'>, make: () => Parts): Promise<FileReply> {
    if (method === 'HEAD') return new FileReply(() => Readable.from([]), headers)
    makeRoom()
    const parts = make()
    let stream: Readable | undefined
    let isEnded = false
    const own: OpenAnswer = {
      offeredAt: undefined,
      end() {
        open.delete(own)
        isEnded = true
        stream?.destroy()
        void parts.return()
      },
    }
    open.add(own)
    const made: (string | Uint8Array)[] = []
    try {
      for (let left = firstParts; left > 0; left--) {
        const { value, done } = await parts.next()
        if (done) break
        made.push(value)
      }
    } catch (error) {
      own.end()
      throw error
    }
    own.offeredAt = clock.monotonic()
    async function* offer(part: string | Uint8Array) {
      own.offeredAt = clock.monotonic()
      yield Buffer.from(part)
      own.offeredAt = undefined
    }
    async function* all() {
      for (let part = made.shift(); part !== undefined; part = made.shift()) yield* offer(part)
      for await (const part of parts) yield* offer(part)
    }
    return new FileReply(() => {
      if (isEnded) throw tooMany()
      stream = Readable.from(all(), { highWaterMark: 1 })
      stream.once('close', own.end)
      return stream
    }, headers)
  }
}
