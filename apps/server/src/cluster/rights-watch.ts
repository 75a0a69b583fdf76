import type { Clock } from '@pulse/domain'
import type { Table } from '../row-cache.ts'
import { createSignal, type OnSignal } from '../signal.ts'
import { createTicker } from '../timing/ticker.ts'

/** Where rights are stored. */
const tables: readonly Table[] = ['users', 'sessions', 'api_tokens', 'settings']
/** Others say what they change, but a line that hangs loses it without a word. */
const lookMs = 500
/** Rights that nothing has confirmed for this time are believed no more. */
const knownMs = 60_000
const askOthersMs = 5_000

export interface RightsWatch {
  /** Whether this process knows who may do what. If not, it lets no one in. */
  areKnown(): boolean
  /** Asks at once, such as after a suspend. */
  look(): Promise<void>
  /** It has just become known, or unknown. */
  onChange: OnSignal
  stop(): void
}

interface RightsWatchEdges {
  clock: Pick<Clock, 'after' | 'monotonic'>
  /** A text for each table, which is another one after a change. Rejects if the database does not answer. */
  marks: (tables: readonly Table[]) => Promise<readonly string[]>
  /** Reads the rows of these tables again. Rejects if it could not. */
  read: (tables: readonly Table[]) => Promise<void>
  /** Rows of these tables are read, or of all, for whatever reason. */
  onRead: OnSignal<[tables?: readonly Table[]]>
  /** Whether the database certainly answers no other process, so that none can change a right. */
  hasNoOther: () => Promise<boolean>
}

/** Reads rights again as soon as another process has changed them, whatever has become of the lines between processes. */
export function watchRights({ clock, marks, read, onRead, hasNoOther }: RightsWatchEdges): RightsWatch {
  const changed = createSignal()
  let known: readonly string[] | undefined
  let confirmedAt = clock.monotonic()
  let askedAt = -Infinity
  let wereKnown = true

  const areKnown = () => clock.monotonic() - confirmedAt < knownMs

  /** Rows that came and went since the last look leave the mark as it was, but may have been read in between. */
  const readSince = new Set<Table>()
  let isReading = false
  const unsubscribe = onRead((read = tables) => {
    if (isReading) return
    for (const table of read) readSince.add(table)
  })

  function readAgain(some: readonly Table[]): Promise<void> {
    isReading = true
    try {
      return read(some)
    } finally {
      isReading = false
    }
  }

  async function confirm() {
    const at = clock.monotonic()
    let due = [...readSince]
    readSince.clear()
    try {
      const found = await marks(tables)
      due = tables.filter((table, n) => due.includes(table) || found[n] !== known?.[n])
      if (due.length > 0) await readAgain(due)
      known = found
      confirmedAt = at
    } catch (error) {
      for (const table of due) readSince.add(table)
      throw error
    }
  }

  async function askOthers() {
    const at = clock.monotonic()
    if (at - askedAt < askOthersMs) return
    askedAt = at
    if (await hasNoOther()) confirmedAt = at
  }

  async function run() {
    try {
      await confirm()
    } catch {
      // the database has reported it
      await askOthers()
    } finally {
      if (wereKnown !== areKnown()) {
        wereKnown = areKnown()
        changed.emit()
      }
    }
  }

  let underWay: Promise<void> | undefined
  const lookOnce = () =>
    (underWay ??= run()
      // the line has reported it
      .catch(() => {})
      .finally(() => (underWay = undefined)))

  const looking = createTicker({ clock, intervalMs: lookMs, firstMs: 0, run: lookOnce, onError: () => {} })
  return {
    areKnown,
    async look() {
      // which may have begun before a suspend
      await underWay
      await lookOnce()
    },
    onChange: changed.on,
    stop() {
      unsubscribe()
      looking.stop()
    },
  }
}
