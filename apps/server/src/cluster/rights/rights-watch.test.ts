import { fakeClock } from '@pulse/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Table } from '../../row-cache.ts'
import type { Signal } from '../../signal.ts'
import { watchedRights } from './fixtures-rights-watch.ts'
import type { RightsWatch } from './rights-watch.ts'

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
  let wroteAt: number
  let read: Signal<[tables?: readonly Table[]]>
  let unread: Signal<[named: readonly Table[]]>

  beforeEach(() => {
    clock = fakeClock()
    ;[marks, reads] = [{}, []]
    onRead = () => {}
    ;[isUp, canRead, wroteAt] = [true, true, -Infinity]
    answering = Promise.resolve()
    ;({ watch, changes, read, unread } = watchedRights({
      clock,
      isUp: () => answering.then(() => isUp),
      canRead: () => canRead,
      marks: () => marks,
      onRows(tables) {
        reads.push(tables)
        onRead(tables)
      },
      wroteAt: () => wroteAt,
    }))
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

  test('are right after a token that came while they were read once more, and went again before the next look', async () => {
    await clock.advance(1_000)
    let tokens: string[] = []
    let known: string[] = []
    const put = (...now: string[]) => ([tokens, marks['api_tokens']] = [now, now.length])
    let count = 0
    onRead = () => {
      // after the mark
      if (++count === 1) put('short')
      known = tokens
    }
    read.emit(['api_tokens'])
    await clock.advance(500)
    expect(known).toEqual(['short'])
    put()
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
