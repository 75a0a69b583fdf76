import { mainSite } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Table } from '../row-cache.ts'
import { createSignal, type OnSignal } from '../signal.ts'
import { createTicker } from '../timing/ticker.ts'
import type { ProcessCard } from './presence.ts'

/** Where rights are stored. */
const tables: readonly Table[] = ['users', 'sessions', 'api_tokens', 'settings']
/** Others say what they change, but a line that hangs loses it without a word. */
const lookMs = 500
/** Rights that nothing has confirmed for this time are believed no more. */
const knownMs = 60_000
const readCardsMs = 5_000
/** So long, at least, a card is there after its process could renew it last. */
const cardMs = 7_000
/** All processes that lose the database at the same time have said so by then. */
const reportedMs = 30_000

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
  /** All that run, this one included. Rejects if some of them could not be read. */
  processes: () => Promise<readonly JudgeCard[]>
  /** of this process */
  site: string
}

/** What the card of a process says about who can change rights. */
export type JudgeCard = Pick<ProcessCard, 'id' | 'site' | 'roles' | 'leads' | 'hasDatabase'>

/**
 * Reads rights again as soon as another process has changed them, whatever has become of the lines between processes. While
 * the database answers no process that can change them, they stay known.
 */
export function watchRights({ clock, marks, read, onRead, processes, site }: RightsWatchEdges): RightsWatch {
  const changed = createSignal()
  let known: readonly string[] | undefined
  let confirmedAt = clock.monotonic()
  /** The database has shown a change that could not be read. */
  let isBehind = false
  let wereKnown = true
  const judges = createJudges([site, mainSite])
  let cardsReadAt = -Infinity

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
      isBehind = tables.some((_, n) => found[n] !== known?.[n])
      due = tables.filter((table, n) => due.includes(table) || found[n] !== known?.[n])
      if (due.length > 0) await readAgain(due)
      known = found
      isBehind = false
      confirmedAt = at
      // one that can change rights may have come and gone unseen
      if (at - cardsReadAt > cardMs) judges.forget()
    } catch (error) {
      for (const table of due) readSince.add(table)
      throw error
    }
  }

  /** What was known when the database left all of them is still true. */
  async function readCards() {
    const at = clock.monotonic()
    const noneHasDatabase = judges.take(await processes())
    cardsReadAt = at
    if (noneHasDatabase && !isBehind && at - confirmedAt < reportedMs) confirmedAt = Math.max(confirmedAt, at)
  }

  async function tellAfter(work: () => Promise<void>) {
    try {
      await work()
    } finally {
      if (wereKnown !== areKnown()) {
        wereKnown = areKnown()
        changed.emit()
      }
    }
  }

  let underWay: Promise<void> | undefined
  const lookOnce = () =>
    (underWay ??= tellAfter(confirm)
      // the database has reported it
      .catch(() => {})
      .finally(() => (underWay = undefined)))

  const looking = createTicker({ clock, intervalMs: lookMs, firstMs: 0, run: lookOnce, onError: () => {} })
  const readingCards = createTicker({
    clock,
    intervalMs: readCardsMs,
    firstMs: 0,
    run: () => tellAfter(readCards),
    // the line has reported it
    onError: () => {},
  })
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
      readingCards.stop()
    },
  }
}

/** The processes that can change rights: the one that leads, and those that may take the lead from it. */
function createJudges(sites: readonly string[]) {
  /** Undefined: any process may be one. */
  let ids: Set<string> | undefined
  return {
    forget: () => void (ids = undefined),
    /** Whether each of them is there, and says that the database does not answer it. */
    take(cards: readonly JudgeCard[]): boolean {
      const judges = cards.filter(({ roles }) => roles.includes('judge'))
      // The database refuses the writes of all that led before this one. Without it, one that cannot be seen may still lead.
      // Collectors of other sites may write anything about themselves: it can make rights unknown, no more.
      if (judges.some((one) => one.leads && one.hasDatabase === true && sites.includes(one.site)))
        ids = new Set()
      for (const { id } of judges) ids?.add(id)
      const lacking = new Set(judges.filter(({ hasDatabase }) => hasDatabase === false).map(({ id }) => id))
      return ids !== undefined && [...ids].every((id) => lacking.has(id))
    },
  }
}
