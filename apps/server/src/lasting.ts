import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { Server } from './product.ts'
import { pause } from './timing/pause.ts'

const pauseMs = 2_000

/**
 * Starts a server, and starts it again whenever another process leads in its place: what it did for all has to end, and what
 * it knows has to come from the others. Rejects if the first start fails; later ones are repeated until one succeeds.
 */
export async function startLasting(
  start: () => Promise<Server>,
  { clock, log }: { clock: Pick<Clock, 'after'>; log: Logger },
): Promise<{ server: Server; stop(): Promise<void> }> {
  const stopping = new AbortController()
  let current: Server | undefined = await start()
  let restarting: Promise<void> = Promise.resolve()
  const first = current
  follow(first)

  function follow(server: Server) {
    server.onDeposed(() => void (restarting = restart(server)))
  }

  async function restart(old: Server) {
    if (current !== old || stopping.signal.aborted) return
    current = undefined
    await old.stop()
    while (!stopping.signal.aborted) {
      try {
        current = await start()
        follow(current)
        return
      } catch (err) {
        log.error({ err }, 'Pulse cannot start again; it retries')
        await pause(clock, pauseMs, stopping.signal)
      }
    }
  }

  return {
    server: first,
    async stop() {
      stopping.abort()
      await restarting
      await current?.stop()
    },
  }
}
