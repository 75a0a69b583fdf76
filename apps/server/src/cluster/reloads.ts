import type { Clock } from '@pulse/domain'
import type { Table } from '../row-cache.ts'
import { createSignal, type OnSignal } from '../signal.ts'
import { pause } from '../timing/pause.ts'

/** The pause after a reading that failed. */
const retryMs = 1_000

export interface Reloads {
  /** Reads the rows of these tables again, or of all, as often as it takes. Resolves when they have been read. */
  request(tables?: readonly Table[]): Promise<void>
  /** What was requested could not be read so far: these tables, and any others if all were requested. */
  onFailed: OnSignal<[named: readonly Table[]]>
  stop(): void
}

interface ReloadsEdges {
  clock: Pick<Clock, 'after'>
  reload: (tables?: readonly Table[]) => Promise<void>
}

/** Requests during a reading are joined in the next one, so that a slow database does not make them pile up. */
export function createReloads({ clock, reload }: ReloadsEdges): Reloads {
  const stopping = new AbortController()
  const failed = createSignal<[named: readonly Table[]]>()
  let waiting: Requested | undefined
  let last: Promise<void> = Promise.resolve()
  let isFailing = false

  async function readUntilDone({ named, isAll }: Requested): Promise<void> {
    for (;;) {
      try {
        await reload(isAll ? undefined : [...named])
        isFailing = false
        return
      } catch {
        // the caches have reported it
        isFailing = true
        failed.emit([...named])
        if (stopping.signal.aborted) return
        await pause(clock, retryMs, stopping.signal)
      }
    }
  }

  function next(): Requested {
    if (waiting) return waiting
    const own: Requested = { named: new Set(), isAll: false, done: last }
    own.done = last.then(() => {
      waiting = undefined
      return readUntilDone(own)
    })
    waiting = own
    last = own.done
    return own
  }

  return {
    request(tables) {
      const joined = next()
      if (!tables) joined.isAll = true
      for (const table of tables ?? []) joined.named.add(table)
      // it waits for a reading that takes until the database is back
      if (isFailing) failed.emit(tables ?? [])
      return joined.done
    },
    onFailed: failed.on,
    stop: () => stopping.abort(),
  }
}

interface Requested {
  named: Set<Table>
  isAll: boolean
  done: Promise<void>
}
