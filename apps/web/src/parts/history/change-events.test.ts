import type { ChangeWord, HistoryChange } from '@pulse/contract'
import { expect, test } from 'vitest'
import type { ChartEvent } from '../chart/series.ts'
import { changeEvents, withBackups } from './change-events.ts'
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

test('[M 3.1] a backup is a band from its start to its end, whatever else happens to the guest', () => {
  expect(
    drawn(
      change('backupStarted', 1),
      change('backupEnded', 30),
      change('moved', 40, { from: 'a', to: 'b' }),
      change('restarted', 50),
      change('backupStarted', 55),
      change('backupEnded', 90),
    ),
  ).toEqual([
    [1, 1, 'Backup started', 'backup'],
    [40, 40, 'Moved from a to b', 'move'],
    [50, 50, 'Restarted', 'power'],
    [55, 30, 'Backup, 25m', 'backup'],
    [90, 90, 'Backup ended', 'backup'],
  ])
})

const backup = (fromAgo: number, toAgo: number, text: string): ChartEvent => ({
  id: text,
  from: now - fromAgo * minute,
  to: now - toAgo * minute,
  text,
  symbol: 'backup',
})

test('[M 3.1] each backup is there once: as its run if that is known, else as the time of its lock', () => {
  const logged = [backup(20, 10, 'lock'), { ...backup(20, 20, 'Moved'), symbol: 'move' as const }]
  const texts = (...backups: ChartEvent[]) => withBackups(logged, backups).map(({ text }) => text)
  expect(texts(backup(20.2, 9.9, 'run, failed'))).toEqual(['Moved', 'run, failed'])
  expect(texts(backup(20.5, 20.5, 'newest'))).toEqual(['lock', 'Moved'])
  expect(texts(backup(5, 5, 'newest'))).toEqual(['newest', 'lock', 'Moved'])
  expect(withBackups([backup(20, 20, 'Backup started')], [backup(20.1, 20.1, 'newest')])).toHaveLength(1)
})
