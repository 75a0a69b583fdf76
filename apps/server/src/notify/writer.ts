import type { Clock } from '@pulse/domain'
import type { CompiledQuery } from 'kysely'
import type { Logger } from 'pino'
import type { DeliveryStore } from '../db/deliveries.ts'
import { oneAtATime } from '../one-at-a-time.ts'

const retryMs = 5_000
/** Beyond that the oldest is not written any more: what was sent stays sent, only its record is lost. */
const mostUnwritten = { queries: 50_000, characters: 64 * 1024 * 1024 }

/** Brings records to the disk in their order. A disk that refuses them keeps no message from being sent. */
export interface Writer {
  /** When the disk has taken it, or has refused it. */
  write(queries: readonly CompiledQuery[]): Promise<void>
  stop(): void
}

export function createWriter(store: Pick<DeliveryStore, 'write'>, clock: Clock, log: Logger): Writer {
  const inTurn = oneAtATime()
  let unwritten: CompiledQuery[] = []
  let isFailing = false
  let cancelRetry = () => {}

  /** One batch after the other: what is refused is not overtaken by what changes it. */
  function write(queries: readonly CompiledQuery[]): Promise<void> {
    unwritten.push(...queries)
    return inTurn(flush)
  }

  async function flush(): Promise<void> {
    cancelRetry()
    const all = unwritten
    unwritten = []
    if (all.length === 0) return
    try {
      await store.write(all)
      if (isFailing) log.info('records of notifications can be stored again')
      isFailing = false
    } catch (err) {
      unwritten = latest([...all, ...unwritten])
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

/** As many of the newest as may be kept in memory. */
function latest(queries: readonly CompiledQuery[]): CompiledQuery[] {
  let characters = 0
  const tooOld = queries.findLastIndex(({ parameters }) => {
    for (const value of parameters) if (typeof value === 'string') characters += value.length
    return characters > mostUnwritten.characters
  })
  return queries.slice(tooOld + 1).slice(-mostUnwritten.queries)
}
