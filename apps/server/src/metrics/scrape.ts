import type { Clock } from '@pulse/domain'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { joined } from '../polling/joined.ts'
import { runYielding, yieldToEventLoop } from '../timing/yield.ts'

/** Requests within this time share one text. */
const MAX_AGE_MS = 1_000

export type Encoding = 'identity' | 'gzip'

/** The text of /metrics, written on request. */
export interface Scrape {
  bytes(encoding: Encoding): Promise<Buffer>
  stop(): void
}

interface Made {
  /** monotonic */
  at: number
  isDone: boolean
  bytes: Promise<Buffer>
  cancel: () => void
}

export function createScrape(pieces: () => Iterator<string, void, undefined>, clock: Clock): Scrape {
  const latest = new Map<Encoding, Made>()

  /** A request during writing shares the text, however long that takes. */
  const isGood = (made: Made | undefined): made is Made =>
    made !== undefined && (!made.isDone || clock.monotonic() - made.at < MAX_AGE_MS)

  function begin(encoding: Encoding): Made {
    const bytes = encoding === 'gzip' ? zipped(pieces()) : whole(pieces())
    const made: Made = { at: clock.monotonic(), isDone: false, bytes, cancel: () => {} }
    latest.set(encoding, made)
    void forgetInTime(encoding, made)
    return made
  }

  async function forgetInTime(encoding: Encoding, made: Made): Promise<void> {
    const forget = () => void (latest.get(encoding) === made && latest.delete(encoding))
    try {
      await made.bytes
      made.isDone = true
      made.cancel = clock.after(MAX_AGE_MS, forget)
    } catch {
      forget() // the waiting requests get the error
    }
  }

  return {
    bytes(encoding) {
      const known = latest.get(encoding)
      return (isGood(known) ? known : begin(encoding)).bytes
    },
    stop() {
      for (const { cancel } of latest.values()) cancel()
    },
  }
}

async function whole(pieces: Iterator<string, void, undefined>): Promise<Buffer> {
  const parts: Buffer[] = []
  await runYielding(
    (function* () {
      for (let piece = pieces.next(); !piece.done; piece = pieces.next()) {
        yield parts.push(Buffer.from(piece.value))
      }
    })(),
  )
  return joined(parts)
}

/** Compresses piece by piece in another thread, so that the whole text is never in memory. */
async function zipped(pieces: Iterator<string, void, undefined>): Promise<Buffer> {
  const gzip = createGzip({ level: 1 })
  const bytes = buffer(gzip)
  try {
    for (let piece = pieces.next(); !piece.done; piece = pieces.next()) {
      const taken = Promise.withResolvers<void>()
      gzip.write(piece.value, (error) => (error ? taken.reject(error) : taken.resolve()))
      await taken.promise
      await yieldToEventLoop()
    }
    gzip.end()
  } catch (error) {
    gzip.destroy(error as Error)
  }
  return bytes
}
