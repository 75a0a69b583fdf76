import { fakeClock } from '@pulse/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Table } from '../row-cache.ts'
import { createSignal, type Signal } from '../signal.ts'
import { type RightsWatch, watchRights } from './rights-watch.ts'

describe('[N 2] rights that are stored', () => {
  let clock: ReturnType<typeof fakeClock>
  let watch: RightsWatch
  let marks: Record<string, number>
  let reads: (readonly Table[])[]
  let changes: boolean[]
  let isUp: boolean
  let canRead: boolean
  let hasNoOther: boolean
  let read: Signal<[tables?: readonly Table[]]>
  beforeEach(() => {
    clock = fakeClock()
    ;[marks, reads, changes] = [{}, [], []]
    ;[isUp, canRead, hasNoOther] = [true, true, false]
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
      hasNoOther: async () => hasNoOther,
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

  test('stay known while the database answers no other process either', async () => {
    ;[isUp, hasNoOther] = [false, true]
    await clock.advance(600_000)
    expect([watch.areKnown(), changes]).toEqual([true, []])
    hasNoOther = false
    await clock.advance(70_000)
    expect(watch.areKnown()).toBe(false)
  })
})
