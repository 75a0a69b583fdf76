import { fakeClock } from '@pulse/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Table } from '../row-cache.ts'
import { createSignal, type Signal } from '../signal.ts'
import { type JudgeCard, type RightsWatch, watchRights } from './rights-watch.ts'

const judge = (id: string, more: Partial<JudgeCard> = {}): JudgeCard => ({
  id,
  site: 'main',
  roles: ['judge'],
  leads: false,
  ...more,
})

describe('[N 2] rights that are stored', () => {
  let clock: ReturnType<typeof fakeClock>
  let watch: RightsWatch
  let marks: Record<string, number>
  let reads: (readonly Table[])[]
  let changes: boolean[]
  let onRead: (tables: readonly Table[]) => void
  let isUp: boolean
  /** the answers of the database come after it */
  let answering: Promise<void>
  let canRead: boolean
  /** of all processes; undefined: the list cannot be read */
  let cards: JudgeCard[] | undefined
  /** when the database has answered others last; absent: it does now */
  let lostAt: Record<string, number>
  let wroteAt: number
  let read: Signal<[tables?: readonly Table[]]>
  let unread: Signal<[named: readonly Table[]]>

  /** As it was said up to three seconds before. */
  function said(card: JudgeCard): JudgeCard {
    const at = Math.floor(clock.monotonic() / 3_000) * 3_000
    const databaseAgeMs = at - Math.min(at, lostAt[card.id] ?? at)
    return { databaseAgeMs, hasDatabase: databaseAgeMs < 8_000, ...card }
  }

  beforeEach(() => {
    clock = fakeClock()
    ;[marks, reads, changes, lostAt] = [{}, [], [], {}]
    onRead = () => {}
    ;[isUp, canRead, wroteAt] = [true, true, -Infinity]
    answering = Promise.resolve()
    cards = [judge('a', { leads: true }), judge('b'), { ...judge('page'), roles: ['serve'] }]
    read = createSignal()
    unread = createSignal()
    watch = watchRights({
      clock,
      async marks(tables) {
        await answering
        if (!isUp) throw new Error('the server does not answer')
        return tables.map((table) => String(marks[table] ?? 0))
      },
      onRead: read.on,
      async read(tables) {
        read.emit(tables)
        if (!canRead) throw new Error('the server does not answer')
        reads.push(tables)
        onRead(tables)
      },
      async processes() {
        if (!cards) throw new Error('a bucket cannot be read')
        return cards.map(said)
      },
      onUnread: unread.on,
      wroteAt: () => wroteAt,
      site: 'main',
    })
    watch.onChange(() => void changes.push(watch.areKnown()))
  })
  afterEach(() => watch.stop())

  test('are read again within half a second after a change and once more, and only what has changed', async () => {
    await clock.advance(1_000)
    reads = []
    await clock.advance(5_000)
    expect(reads).toEqual([])
    marks['sessions'] = 1
    await clock.advance(500)
    marks['users'] = 1
    marks['api_tokens'] = 1
    await clock.advance(500)
    expect(reads).toEqual([['sessions'], ['users', 'sessions', 'api_tokens']])
    await clock.advance(5_000)
    expect(reads.slice(2)).toEqual([['users', 'api_tokens']])
  })

  test('are right after a token that came after the mark was read, and went again before the next look', async () => {
    await clock.advance(1_000)
    let tokens: string[] = []
    let known: string[] = []
    onRead = (tables) => {
      if (!tables.includes('api_tokens')) return
      if (marks['api_tokens'] === 1 && known.length === 0) tokens = ['short']
      known = tokens
      tokens = []
    }
    marks['api_tokens'] = 1
    await clock.advance(500)
    expect(known).toEqual(['short'])
    await clock.advance(500)
    expect(known).toEqual([])
  })

  test('are read once more after any other reading, which may have seen what has ended since', async () => {
    await clock.advance(1_000)
    reads = []
    read.emit(['api_tokens', 'alerts'])
    await clock.advance(5_000)
    expect(reads).toEqual([['api_tokens']])
    read.emit()
    await clock.advance(5_000)
    expect(reads[1]).toEqual(['users', 'sessions', 'api_tokens', 'settings'])
    expect(reads).toHaveLength(2)
  })

  test('are read as often as it takes', async () => {
    await clock.advance(1_000)
    reads = []
    canRead = false
    marks['users'] = 1
    await clock.advance(3_000)
    canRead = true
    await clock.advance(500)
    expect(reads).toEqual([['users']])
  })

  test.each([
    ['the database has not answered', () => (isUp = false)],
    ['they could not be read', () => ((canRead = false), (marks['users'] = 1))],
  ])('are unknown when %s for a minute', async (_what, fail) => {
    await clock.advance(1_000)
    fail()
    await clock.advance(58_000)
    expect([watch.areKnown(), changes]).toEqual([true, []])
    await clock.advance(3_000)
    expect([watch.areKnown(), changes]).toEqual([false, [false]])
    ;[isUp, canRead] = [true, true]
    await clock.advance(500)
    expect([watch.areKnown(), changes]).toEqual([true, [false, true]])
  })

  /** The database is away, for these processes at least. */
  function lose(...lacking: string[]) {
    isUp = false
    for (const id of lacking) lostAt[id] = clock.monotonic()
  }
  function findAgain(...ids: string[]) {
    for (const id of ids) delete lostAt[id]
  }
  const without = (id: string) => void (cards = cards?.filter((card) => card.id !== id))

  test('stay known while the database has answered no process that may lead since it left this one', async () => {
    await clock.advance(10_000)
    lose('a', 'b')
    await clock.advance(600_000)
    expect([watch.areKnown(), changes]).toEqual([true, []])
    cards!.push(judge('c'))
    await clock.advance(70_000)
    expect(watch.areKnown()).toBe(false)
  })

  test.each([
    ['one that led cannot be seen', () => (lose('a', 'b'), without('a'))],
    ['one that could lead cannot be seen', () => (lose('a', 'b'), without('b'))],
    ['none of those that may lead can be seen', () => (lose(), without('a'), without('b'))],
    ['one still has it', () => lose('a')],
    [
      'one does not say when it answered',
      () => (lose('a', 'b'), cards!.push(judge('c', { databaseAgeMs: undefined, hasDatabase: false }))),
    ],
    ['the list of processes cannot be read', () => (lose(), (cards = undefined))],
  ])('are unknown a minute after the database has answered last, if %s', async (_what, fail) => {
    await clock.advance(10_000)
    fail()
    await clock.advance(61_000)
    expect([watch.areKnown(), changes]).toEqual([false, [false]])
  })

  test('are unknown if the database has shown a change before it went, that could not be read', async () => {
    await clock.advance(10_000)
    ;[canRead, marks['users']] = [false, 1]
    await clock.advance(500)
    lose('a', 'b')
    await clock.advance(61_000)
    expect(watch.areKnown()).toBe(false)
  })

  test.each([3, 12, 35])(
    'are unknown if one that may lead had the database for %d s longer: it may have changed a right',
    async (seconds) => {
      await clock.advance(10_000)
      lose('b')
      await clock.advance(seconds * 1_000)
      lose('a')
      await clock.advance(61_000)
      expect(watch.areKnown()).toBe(false)
      isUp = true
      await clock.advance(500)
      expect(watch.areKnown()).toBe(true)
    },
  )

  test.each([1, 15])(
    'are unknown a minute after one that may lead had the database again, if only for %d s',
    async (seconds) => {
      await clock.advance(10_000)
      lose('a', 'b')
      await clock.advance(300_000)
      findAgain('a')
      await clock.advance(seconds * 1_000)
      lose('a')
      await clock.advance(61_000)
      expect([watch.areKnown(), changes]).toEqual([false, [false]])
    },
  )

  test('are unknown once one that may lead could not be seen for a while, until the database answers', async () => {
    await clock.advance(10_000)
    lose('a', 'b')
    const listed = cards
    without('b')
    await clock.advance(6_000)
    cards = listed
    await clock.advance(61_000)
    expect(watch.areKnown()).toBe(false)
    ;[isUp, lostAt] = [true, {}]
    await clock.advance(10_000)
    lose('a', 'b')
    await clock.advance(600_000)
    expect(watch.areKnown()).toBe(true)
  })

  test.each([
    ['a change of some rows', ['connections']],
    ['that all rows may have changed', []],
  ] as const)(
    'stay known for a minute only, if another process has announced %s, which could not be read',
    async (_what, named) => {
      await clock.advance(10_000)
      lose('a', 'b')
      await clock.advance(30_000)
      unread.emit(named)
      await clock.advance(50_000)
      expect(watch.areKnown()).toBe(true)
      await clock.advance(11_000)
      expect([watch.areKnown(), changes]).toEqual([false, [false]])
    },
  )

  test('are unknown at once if another process has announced a change of them that could not be read, until they are', async () => {
    await clock.advance(10_000)
    isUp = false
    unread.emit(['connections', 'users'])
    expect([watch.areKnown(), changes]).toEqual([false, [false]])
    unread.emit([])
    await clock.advance(5_000)
    expect(watch.areKnown()).toBe(false)
    isUp = true
    await clock.advance(500)
    expect([watch.areKnown(), changes]).toEqual([true, [false, true]])
  })

  test('stay unknown while what was announced during a look is not read', async () => {
    await clock.advance(10_000)
    const { promise, resolve } = Promise.withResolvers<void>()
    answering = promise
    await clock.advance(500)
    unread.emit(['users'])
    resolve()
    await clock.advance(0)
    expect(watch.areKnown()).toBe(false)
    await clock.advance(500)
    expect(watch.areKnown()).toBe(true)
  })

  test('are unknown if one has led without a line to the others, until another one leads', async () => {
    await clock.advance(10_000)
    const [a] = cards!
    without('a')
    await clock.advance(300_000)
    lose('b')
    await clock.advance(61_000)
    expect(watch.areKnown()).toBe(false)
    ;[isUp, lostAt] = [true, {}]
    cards = [judge('b', { leads: true })]
    await clock.advance(10_000)
    lose('b')
    await clock.advance(61_000)
    expect(watch.areKnown()).toBe(true)
    cards.push(a!)
    await clock.advance(70_000)
    expect(watch.areKnown()).toBe(false)
  })

  test('stay unknown, whatever a collector of another site says about who leads', async () => {
    await clock.advance(10_000)
    lose('b')
    cards = [...cards!.filter(({ id }) => id !== 'a'), judge('forged', { leads: true, site: 'Berlin' })]
    await clock.advance(5_000)
    lose('forged')
    await clock.advance(61_000)
    expect(watch.areKnown()).toBe(false)
  })

  test.each([
    ['while the database was there', 0],
    ['for a while, in which one may have come and gone', 20_000],
  ])('are unknown if the list of processes could not be read %s', async (_what, lostForMs) => {
    await clock.advance(10_000)
    if (lostForMs > 0) lose('a', 'b')
    await clock.advance(lostForMs)
    const listed = cards
    cards = undefined
    await clock.advance(20_000)
    cards = listed
    if (lostForMs === 0) lose('a', 'b')
    await clock.advance(61_000)
    expect(watch.areKnown()).toBe(false)
  })

  test('come with the time since the database has answered last, be it a look or a write as the one that leads', async () => {
    await clock.advance(10_200)
    expect(watch.databaseAgeMs).toBe(200)
    // it has answered, although the rows could not be read
    ;[canRead, marks['users']] = [false, 1]
    await clock.advance(20_000)
    expect(watch.databaseAgeMs).toBe(200)
    isUp = false
    await clock.advance(10_000)
    expect(watch.databaseAgeMs).toBe(10_200)
    wroteAt = clock.monotonic()
    await clock.advance(1_000.7)
    expect(watch.databaseAgeMs).toBe(1_000)
  })
})
