import type { Clock } from '@pulse/domain'
import type { CompiledQuery } from 'kysely'
import type { Logger } from 'pino'
import type { DeliveryStore } from '../db/deliveries.ts'

const retryMs = 5_000
/** Beyond that the oldest is not written any more: what was sent stays sent, only its record is lost. */
const mostUnwritten = 50_000

/** Brings records to the disk in their order. A disk that refuses them keeps no message from being sent. */
export interface Writer {
  /** When the disk has taken it, or has refused it. */
  write(queries: readonly CompiledQuery[]): Promise<void>
  stop(): void
}

export function createWriter(store: Pick<DeliveryStore, 'write'>, clock: Clock, log: Logger): Writer {
  let unwritten: CompiledQuery[] = []
  let isFailing = false
  let cancelRetry = () => {}

  async function write(queries: readonly CompiledQuery[]): Promise<void> {
    cancelRetry()
    const all = [...unwritten, ...queries]
    unwritten = []
    if (all.length === 0) return
    try {
      await store.write(all)
      if (isFailing) log.info('records of notifications can be stored again')
      isFailing = false
    } catch (err) {
      unwritten = [...all, ...unwritten].slice(-mostUnwritten)
      if (!isFailing)
        log.error(
          { err },
          'records of notifications could not be stored; they are sent, and stored when it is possible',
        )
      isFailing = true
      cancelRetry = clock.after(retryMs, () => void write([]))
    }
  }

  return { write, stop: () => cancelRetry() }
}
