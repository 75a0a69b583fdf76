import type { Clock } from '@pulse/domain'
import type { Table } from '../row-cache.ts'
import { pause } from '../timing/pause.ts'

/** The pause after a reading that failed. */
const retryMs = 1_000

export interface Reloads {
  /** Reads the rows of these tables again, or of all, as often as it takes. Resolves when they have been read. */
  request(tables?: readonly Table[]): Promise<void>
  stop(): void
}

interface ReloadsEdges {
  clock: Pick<Clock, 'after'>
  reload: (tables?: readonly Table[]) => Promise<void>
}

/** Requests during a reading are joined in the next one, so that a slow database does not make them pile up. */
export function createReloads({ clock, reload }: ReloadsEdges): Reloads {
  const stopping = new AbortController()
  let waiting: { tables: Set<Table> | undefined; done: Promise<void> } | undefined
  let last: Promise<void> = Promise.resolve()

  async function readUntilDone(tables: readonly Table[] | undefined): Promise<void> {
    for (;;) {
      try {
        return await reload(tables)
      } catch {
        // the caches have reported it
        if (stopping.signal.aborted) return
        await pause(clock, retryMs, stopping.signal)
      }
    }
  }

  return {
    request(tables) {
      if (waiting) {
        if (!tables) waiting.tables = undefined
        else for (const table of tables) waiting.tables?.add(table)
        return waiting.done
      }
      const own = { tables: tables && new Set(tables), done: last }
      own.done = last.then(() => {
        waiting = undefined
        return readUntilDone(own.tables && [...own.tables])
      })
      waiting = own
      last = own.done
      return own.done
    },
    stop: () => stopping.abort(),
  }
}
