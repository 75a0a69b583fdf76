import { mainSite } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Table } from '../../row-cache.ts'
import { createSignal, type OnSignal } from '../../signal.ts'
import { createTicker } from '../../timing/ticker.ts'
import type { ProcessCard } from '../presence.ts'

/** Where rights are stored. */
const tables: readonly Table[] = ['users', 'sessions', 'api_tokens', 'settings']
/** Others say what they change, but a line that hangs loses it without a word. */
const lookMs = 500
/** Rights that nothing has confirmed for this time are believed no more. */
const knownMs = 60_000
const readCardsMs = 5_000
/** So long, at least, a card is there after its process could renew it last. */
const cardMs = 7_000
/**
 * The database has left all processes at the same time if it has answered none of them later than this one by more. They ask
 * every half a second, and as cards are said every 3 s and read every 5 s, one reading of three finds what is less than a
 * second old. A change in that time has been announced, too.
 */
const laterMs = 2_000

export interface RightsWatch {
  /** Whether this process knows who may do what. If not, it lets no one in. */
  areKnown(): boolean
  /** for its card: since the database has answered this process last */
  readonly databaseAgeMs: number
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
  /** Another process has announced a change of these tables, or of any if none is named, and it could not be read. */
  onUnread: OnSignal<[named: readonly Table[]]>
  /** monotonic: when the database has confirmed this process last as the one that leads */
  wroteAt: () => number
  /** All that run, this one included. Rejects if some of them could not be read. */
  processes: () => Promise<readonly JudgeCard[]>
  /** of this process */
  site: string
}

/** What the card of a process says about who can change rights. */
export type JudgeCard = Pick<ProcessCard, 'id' | 'site' | 'roles' | 'leads' | 'hasDatabase' | 'databaseAgeMs'>

/**
 * Reads rights again as soon as another process has changed them, whatever has become of the lines between processes. While
 * the database has answered no process that can change them since it left this one, they stay known.
 */
export function watchRights(edges: RightsWatchEdges): RightsWatch {
  const { clock, marks, read, onRead, onUnread, wroteAt, processes, site } = edges
  const changed = createSignal()
  let known: readonly string[] | undefined
  /** when the database had what is known */
  let databaseAt = clock.monotonic()
  let answeredAt = databaseAt
  /** Until then no other process can have changed it, as all cards say. */
  let unchangedAt = -Infinity
  /** The database has shown a change that could not be read. */
  let isBehind = false
  /** Others have announced one that could not be read. */
  let unread: { hasRights: boolean } | undefined
  let wereKnown = true
  const judges = createJudges([site, mainSite])
  let cardsReadAt = -Infinity

  const areKnown = () => !unread?.hasRights && clock.monotonic() - Math.max(databaseAt, unchangedAt) < knownMs

  /** Rows that came and went since the last look leave the mark as it was, but may have been read in between. */
  const readSince = new Set<Table>()
  let isReading = false
  const endRead = onRead((read = tables) => {
    if (isReading) return
    for (const table of read) readSince.add(table)
  })

  const endUnread = onUnread((named) => {
    unread = { hasRights: unread?.hasRights === true || named.some((table) => tables.includes(table)) }
    tell()
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
    const unreadBefore = unread
    let due = [...readSince]
    readSince.clear()
    try {
      const found = await marks(tables)
      answeredAt = clock.monotonic()
      isBehind = tables.some((_, n) => found[n] !== known?.[n])
      due = tables.filter((table, n) => due.includes(table) || found[n] !== known?.[n])
      let then = found
      if (due.length > 0) {
        await readAgain(due)
        then = await marks(tables)
        answeredAt = clock.monotonic()
      }
      // what came after the mark may have been read, and may be gone before the next look: it leaves no trace in the mark
      for (const [n, table] of tables.entries())
        if (found[n] !== known?.[n] || then[n] !== found[n]) readSince.add(table)
      known = found
      isBehind = false
      databaseAt = at
      if (unread === unreadBefore) unread = undefined
    } catch (error) {
      for (const table of due) readSince.add(table)
      throw error
    }
  }

  /** What was known when the database left all of them is still true. */
  async function readCards() {
    const at = clock.monotonic()
    // one that can change rights may have come and gone unseen
    if (at - cardsReadAt > cardMs) judges.forget()
    const cards = await processes()
    cardsReadAt = at
    const clearAt = judges.take(cards, { from: at, to: clock.monotonic() }, databaseAt)
    if (!isBehind && !unread) unchangedAt = Math.max(unchangedAt, clearAt)
  }

  function tell() {
    if (wereKnown === areKnown()) return
    wereKnown = areKnown()
    changed.emit()
  }

  const tellAfter = (work: () => Promise<void>) => work().finally(tell)

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
    get databaseAgeMs() {
      return Math.floor(clock.monotonic() - Math.max(answeredAt, wroteAt()))
    },
    async look() {
      // which may have begun before a suspend
      await underWay
      await lookOnce()
    },
    onChange: changed.on,
    stop() {
      endRead()
      endUnread()
      looking.stop()
      readingCards.stop()
    },
  }
}

/** The processes that can change rights: the one that leads, and those that may take the lead from it. */
function createJudges(sites: readonly string[]) {
  /** Until when each of them has certainly changed none since the database left this one. Undefined: any process may be one. */
  let clearAt: Map<string, number> | undefined
  return {
    forget: () => void (clearAt = undefined),
    /** `read`: when the cards were read, which may be old. The result holds for all of them; -Infinity: never. */
    take(cards: readonly JudgeCard[], read: { from: number; to: number }, databaseAt: number): number {
      const judges = new Map(cards.filter(({ roles }) => roles.includes('judge')).map((one) => [one.id, one]))
      // The database refuses the writes of all that led before this one. Without it, one that cannot be seen may still lead.
      // Collectors of other sites may write anything about themselves: it can make rights unknown, no more.
      const leads = (one: JudgeCard) => one.leads && one.hasDatabase === true && sites.includes(one.site)
      if (read.from - databaseAt < laterMs && [...judges.values()].some(leads)) clearAt = new Map()
      if (!clearAt) return -Infinity
      for (const id of judges.keys()) if (!clearAt.has(id)) clearAt.set(id, -Infinity)
      for (const id of clearAt.keys()) {
        const ageMs = judges.get(id)?.databaseAgeMs
        if (ageMs === undefined) {
          // it may have the database, until this process has it again
          clearAt = undefined
          return -Infinity
        }
        if (read.to - ageMs <= databaseAt + laterMs) clearAt.set(id, read.from)
      }
      return Math.min(...clearAt.values())
    },
  }
}
