import type { Clock } from '@pulse/domain'
import type { CompiledQuery } from 'kysely'
import type { Logger } from 'pino'
import type { DeliveryStore } from '../db/deliveries.ts'
import { createWriteBehind } from '../timing/write-behind.ts'

/**
 * Bound in characters of queries. Above it the oldest records are dropped; the messages themselves are still
 * sent.
 */
const bound = 64 * 1024 * 1024
const batch = 4 * 1024 * 1024
/** Weight of a query in addition to its text. */
const queryWeight = 1_000

/** Write-behind for notification records, in order. A disk that refuses them does not stop messages. */
export interface Writer {
  /** Resolves when the disk has accepted or refused the records. `make` is called just before the write. */
  write(make: () => readonly CompiledQuery[]): Promise<void>
  /** Ends the retries. */
  stop(): void
}

export function createWriter(store: Pick<DeliveryStore, 'write'>, clock: Clock, log: Logger): Writer {
  const { put, flush, stop } = createWriteBehind<CompiledQuery>({
    clock,
    write: store.write,
    weigh,
    batch,
    bound,
    onRefused: (err) =>
      log.error(
        { err },
        'cannot store notification records; notifications are sent, and their records stored later',
      ),
    onRecovered: (dropped) => log.info({ dropped }, 'notification records can be stored again'),
    onDropped: () => log.error('too many notification records are waiting; the oldest are dropped'),
  })
  return {
    write(make) {
      put(make)
      return flush()
    },
    stop,
  }
}

function weigh({ parameters }: CompiledQuery): number {
  let characters = 0
  for (const value of parameters) if (typeof value === 'string') characters += value.length
  return queryWeight + characters
}
