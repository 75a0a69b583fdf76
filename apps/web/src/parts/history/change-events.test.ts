import type { ChangeWord, HistoryChange } from '@pulse/contract'
import { expect, test } from 'vitest'
import { changeEvents } from './change-events.ts'
import { now } from './fixtures.ts'

const minute = 60_000
const change = (what: ChangeWord, minutesAgo: number, more: Partial<HistoryChange> = {}): HistoryChange => ({
  at: now - minutesAgo * minute,
  kind: 'guests',
  id: 'main:100',
  name: 'web',
  what,
  ...more,
})
const drawn = (...changes: readonly HistoryChange[]) =>
  changeEvents(changes).map(({ from, to, text, symbol }) => [
    (now - from) / minute,
    (now - to) / minute,
    text,
    symbol,
  ])

test('[M 3.1] a stop with its start is one band', () => {
  expect(drawn(change('started', 10), change('stopped', 12))).toEqual([[12, 10, 'Stopped for 2m', 'power']])
  const node = { kind: 'nodes' }
  expect(drawn(change('started', 10, node), change('stopped', 100, node))).toEqual([
    [100, 10, 'Went offline for 1h 30m', 'power'],
  ])
  const paused = { from: 'running', to: 'paused' }
  expect(drawn(change('started', 1, { from: 'paused' }), change('stopped', 4, paused))).toEqual([
    [4, 1, 'Paused for 3m', 'power'],
  ])
})

test('[M 3.1] what has no known end or begin stays a mark, in the order of time', () => {
  expect(
    drawn(
      change('stopped', 1),
      change('restarted', 2),
      change('moved', 3, { from: 'pve1', to: 'pve2' }),
      change('started', 4),
      change('stopped', 5),
      change('stopped', 6),
      change('started', 7),
    ),
  ).toEqual([
    [1, 1, 'Stopped', 'power'],
    [2, 2, 'Restarted', 'power'],
    [3, 3, 'Moved from pve1 to pve2', 'move'],
    [5, 4, 'Stopped for 1m', 'power'],
    [6, 6, 'Stopped', 'power'],
    [7, 7, 'Started', 'power'],
  ])
})

test('[M 3.1] a guest that moves while it is stopped has one band and one mark', () => {
  const changes = [change('started', 1), change('moved', 2, { from: 'a', to: 'b' }), change('stopped', 3)]
  expect(drawn(...changes)).toEqual([
    [2, 2, 'Moved from a to b', 'move'],
    [3, 1, 'Stopped for 2m', 'power'],
  ])
})
