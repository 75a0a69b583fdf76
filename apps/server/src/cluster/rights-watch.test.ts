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
  hasDatabase: true,
  ...more,
})

describe('[N 2] rights that are stored', () => {
  let clock: ReturnType<typeof fakeClock>
  let watch: RightsWatch
  let marks: Record<string, number>
  let reads: (readonly Table[])[]
  let changes: boolean[]
  let isUp: boolean
  let canRead: boolean
  /** of all processes; undefined: the list cannot be read */
  let cards: JudgeCard[] | undefined
  let read: Signal<[tables?: readonly Table[]]>
  beforeEach(() => {
    clock = fakeClock()
    ;[marks, reads, changes] = [{}, [], []]
    ;[isUp, canRead] = [true, true]
    cards = [judge('a', { leads: true }), judge('b'), { ...judge('page'), roles: ['serve'] }]
    read = createSignal()
    watch = watchRights({
      clock,
      async marks(tables) {
        if (!isUp) throw new Error('the server does not answer')
        return tables.map((table) => String(marks[table] ?? 0))
      },
      onRead: read.on,
      async read(tables) {
        read.emit(tables)
        if (!canRead) throw new Error('the server does not answer')
        reads.push(tables)
      },
      async processes() {
        if (!cards) throw new Error('a bucket cannot be read')
        return cards
      },
      site: 'main',
    })
    watch.onChange(() => void changes.push(watch.areKnown()))
  })
  afterEach(() => watch.stop())

  test('are read again within half a second after a change, and only what has changed', async () => {
    await clock.advance(1_000)
    reads = []
    await clock.advance(5_000)
    expect(reads).toEqual([])
    marks['sessions'] = 1
    await clock.advance(500)
    marks['users'] = 1
    marks['api_tokens'] = 1
    await clock.advance(500)
    expect(reads).toEqual([['sessions'], ['users', 'api_tokens']])
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
    cards = cards?.map((card) => (lacking.includes(card.id) ? { ...card, hasDatabase: false } : card))
  }
  const without = (id: string) => void (cards = cards?.filter((card) => card.id !== id))

  test('stay known while each process that may lead says that the database does not answer it', async () => {
    await clock.advance(10_000)
    isUp = false
    await clock.advance(15_000)
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
    ['one does not say', () => (lose('a', 'b'), cards!.push(judge('c', { hasDatabase: undefined })))],
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

  test('are unknown if those that may lead had the database for longer: they may have changed a right', async () => {
    await clock.advance(10_000)
    isUp = false
    await clock.advance(35_000)
    lose('a', 'b')
    await clock.advance(26_000)
    expect(watch.areKnown()).toBe(false)
    isUp = true
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
    isUp = true
    cards = [judge('b', { leads: true })]
    await clock.advance(10_000)
    lose('b')
    await clock.advance(61_000)
    expect(watch.areKnown()).toBe(true)
    cards.push(a!)
    await clock.advance(61_000)
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

  test('are unknown if the list of processes could not be read while the database was there', async () => {
    await clock.advance(10_000)
    const listed = cards
    cards = undefined
    await clock.advance(20_000)
    cards = listed
    lose('a', 'b')
    await clock.advance(61_000)
    expect(watch.areKnown()).toBe(false)
  })
})
