// Runs in its own process, so that the measured memory is only the server's. It serves live data of an estate
// that changes every second.
import { realClock } from '../edges.ts'
import { aGuestOf, startHub } from './fixtures.ts'

const GUESTS = 500
const UPDATE_MS = 1_000

export interface CrowdFigures {
  rssBytes: number
  /** unsent bytes of each open connection */
  queued: number[]
  clients: number
  updates: number
}

const given = await startHub()
let updates = 0

/** Six of ten guests change, as in a busy estate. */
function update() {
  updates++
  given.observe(
    ...Array.from({ length: GUESTS }, (_, n) =>
      aGuestOf(100 + n, {
        cpu: n % 10 < 6 ? ((updates * 37 + n * 11) % 1_000) / 1_000 : 0.5,
        memory: {
          total: 8e9,
          used: n % 10 < 6 ? 1e9 + ((updates * 53 + n) % 97) * 5e7 : 4e9,
          free: 4e9,
          usage: 50,
        },
      }),
    ),
  )
  realClock.after(UPDATE_MS, update)
}

/** Collects garbage first, so that it does not count as growth. */
function figures(): CrowdFigures {
  globalThis.gc?.()
  return {
    rssBytes: process.memoryUsage().rss,
    queued: [...given.sockets].map((socket) => socket.writableLength),
    clients: given.hub.clientCount(),
    updates,
  }
}

update()
process.on('message', () => process.send!(figures()))
process.on('disconnect', () => process.exit(0))
process.send!({ url: given.url })
