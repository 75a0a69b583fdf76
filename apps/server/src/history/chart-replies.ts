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

type Parts = AsyncGenerator<string | Uint8Array, void>

interface OpenAnswer {
  /** monotonic; when the caller took the last part */
  takenAt: number
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
    const slowest = [...open].reduce((one, other) => (other.takenAt < one.takenAt ? other : one))
    if (clock.monotonic() - slowest.takenAt < stalledMs)
      throw new AppError('history_unavailable', 'Too many calls read charts. Try again in a few seconds.')
    slowest.end()
  }

  return async function reply({ method }: Pick<Caller, 'method'>, make: () => Parts): Promise<FileReply> {
    if (method === 'HEAD') return new FileReply(() => Readable.from([]), headers)
    makeRoom()
    const parts = make()
    let stream: Readable | undefined
    const own: OpenAnswer = {
      takenAt: clock.monotonic(),
      end() {
        open.delete(own)
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
    async function* all() {
      for (let part = made.shift(); part !== undefined; part = made.shift()) {
        yield Buffer.from(part)
        own.takenAt = clock.monotonic()
      }
      for await (const part of parts) {
        yield Buffer.from(part)
        own.takenAt = clock.monotonic()
      }
    }
    return new FileReply(() => {
      stream = Readable.from(all(), { highWaterMark: 1 })
      stream.once('close', own.end)
      return stream
    }, headers)
  }
}
