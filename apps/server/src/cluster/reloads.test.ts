import { fakeClock } from '@pulse/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Table } from '../row-cache.ts'
import { createReloads, type Reloads } from './reloads.ts'

describe('[N 2] rows that another process has changed', () => {
  let clock: ReturnType<typeof fakeClock>
  let reloads: Reloads
  let canRead: boolean
  let read: (readonly Table[] | undefined)[]
  let failed: (readonly Table[])[]
  beforeEach(() => {
    clock = fakeClock()
    ;[canRead, read, failed] = [true, [], []]
    reloads = createReloads({
      clock,
      async reload(tables) {
        if (!canRead) throw new Error('the server does not answer')
        read.push(tables)
      },
    })
    reloads.onFailed((named) => void failed.push(named))
  })

  test('are read once for all who ask at the same time', async () => {
    const done = [reloads.request(['users']), reloads.request(['sessions', 'users'])]
    await Promise.all(done)
    await Promise.all([reloads.request(['users']), reloads.request()])
    expect([read, failed]).toEqual([[['users', 'sessions'], undefined], []])
  })

  test('are read as often as it takes; each failure names the tables that were named', async () => {
    canRead = false
    void reloads.request(['users'])
    const done = reloads.request()
    await clock.advance(500)
    expect(failed).toEqual([['users']])
    await clock.advance(1_000)
    expect(failed).toEqual([['users'], ['users']])
    canRead = true
    await clock.advance(1_000)
    await done
    expect([read, failed.length]).toEqual([[undefined], 2])
  })

  test('count as failed at once while a reading before has failed', async () => {
    canRead = false
    void reloads.request()
    await clock.advance(500)
    const done = reloads.request(['users'])
    void reloads.request(['sessions'])
    expect(failed).toEqual([[], ['users'], ['sessions']])
    canRead = true
    await clock.advance(1_000)
    await done
    expect(read).toEqual([undefined, ['users', 'sessions']])
    void reloads.request(['users'])
    expect(failed).toHaveLength(3)
    reloads.stop()
  })
})
