import { fakeClock } from '@pulse/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Table } from '../../row-cache.ts'
import type { Signal } from '../../signal.ts'
import { judge, judges, watchedRights } from './fixtures-rights-watch.ts'
import type { JudgeCard, RightsWatch } from './rights-watch.ts'

describe('[N 2] rights that are stored', () => {
  let clock: ReturnType<typeof fakeClock>
  let watch: RightsWatch
  let marks: Record<string, number>
  let changes: boolean[]
  let isUp: boolean
  let canRead: boolean
  /** of all processes; undefined: the list cannot be read */
  let cards: JudgeCard[] | undefined
  /** when the database has answered others last; absent: it does now */
  let lostAt: Record<string, number>
  let unread: Signal<[named: readonly Table[]]>

  /** As it was said up to three seconds before. */
  function said(card: JudgeCard): JudgeCard {
    const at = Math.floor(clock.monotonic() / 3_000) * 3_000
    const databaseAgeMs = at - Math.min(at, lostAt[card.id] ?? at)
    return { databaseAgeMs, hasDatabase: databaseAgeMs < 8_000, ...card }
  }

  beforeEach(() => {
    clock = fakeClock()
    ;[marks, lostAt] = [{}, {}]
    ;[isUp, canRead] = [true, true]
    cards = judges()
    ;({ watch, changes, unread } = watchedRights({
      clock,
      isUp: () => isUp,
      canRead: () => canRead,
      marks: () => marks,
      processes: () => cards?.map(said),
    }))
  })
  afterEach(() => watch.stop())

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
})
