import type { Clock } from '@pulse/domain'
import type { CompiledQuery } from 'kysely'
import type { Logger } from 'pino'
import type { DeliveryStore } from '../db/deliveries.ts'
import { oneAtATime } from '../one-at-a-time.ts'

const retryMs = 5_000
/** Beyond that the oldest is not written any more: what was sent stays sent, only its record is lost. */
const mostUnwritten = { queries: 50_000, characters: 64 * 1024 * 1024 }
/** What a storm has for many destinations would fill the memory if all of it became text at once. */
const batchCharacters = 4 * 1024 * 1024

type MakeQueries = () => readonly CompiledQuery[]

/** Brings records to the disk in their order. A disk that refuses them keeps no message from being sent. */
export interface Writer {
  /** When the disk has taken it, or has refused it. They are made when it is their turn. */
  write(make: MakeQueries): Promise<void>
  /** What is refused from now on is not tried again. */
  stop(): void
}

export function createWriter(store: Pick<DeliveryStore, 'write'>, clock: Clock, log: Logger): Writer {
  const inTurn = oneAtATime()
  const waiting: MakeQueries[] = []
  let refused: readonly CompiledQuery[] = []
  let isFailing = false
  let cancelRetry = () => {}
  let isStopped = false

  /** One batch after the other: what is refused is not overtaken by what changes it. */
  function write(make: MakeQueries): Promise<void> {
    waiting.push(make)
    return inTurn(flush)
  }

  /** At least one of those that wait, which so many have asked for. */
  function nextBatch(): CompiledQuery[] {
    const batch = [...refused]
    let characters = charactersIn(batch)
    do {
      const made = waiting.shift()?.() ?? []
      for (const query of made) batch.push(query)
      characters += charactersIn(made)
    } while (characters < batchCharacters && waiting.length > 0)
    return batch
  }

  async function flush(): Promise<void> {
    cancelRetry()
    const batch = nextBatch()
    if (batch.length === 0) return
    try {
      await store.write(batch)
      refused = []
      if (isFailing) log.info('records of notifications can be stored again')
      isFailing = false
    } catch (err) {
      refused = latest(batch)
      if (!isFailing)
        log.error(
          { err },
          'records of notifications could not be stored; they are sent, and stored when it is possible',
        )
      isFailing = true
      if (!isStopped) cancelRetry = clock.after(retryMs, () => void write(() => []))
    }
  }

  function stop() {
    isStopped = true
    cancelRetry()
  }

  return { write, stop }
}

function charactersIn(queries: readonly CompiledQuery[]): number {
  let characters = 0
  for (const { parameters } of queries)
    for (const value of parameters) if (typeof value === 'string') characters += value.length
  return characters
}

/** As many of the newest as may be kept in memory. */
function latest(queries: readonly CompiledQuery[]): CompiledQuery[] {
  let characters = 0
  const tooOld = queries.findLastIndex((query) => {
    characters += charactersIn([query])
    return characters > mostUnwritten.characters
  })
  return queries.slice(tooOld + 1).slice(-mostUnwritten.queries)
}
