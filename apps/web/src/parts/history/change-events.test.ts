import type { ChangeWord, HistoryChange } from '@pulse/contract'
import { expect, test } from 'vitest'
import { changeEvents, type ListedBackup, withBackups } from './change-events.ts'
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

test('[M 3.1] a backup whose lock was given away for a snapshot is one', () => {
  const drawnBackups = drawn(
    change('backupEnded', 10),
    change('backupStarted', 29.5),
    change('moved', 29.7, { from: 'a', to: 'b' }),
    change('backupEnded', 29.8),
    change('backupStarted', 30),
    change('backupEnded', 31.5),
    change('backupStarted', 32),
  )
  expect(drawnBackups).toEqual([
    [29.7, 29.7, 'Moved from a to b', 'move'],
    [30, 10, 'Backup, 20m', 'backup'],
    [32, 31.5, 'Backup, 30s', 'backup'],
  ])
})

const backup = (fromAgo: number, toAgo: number, text: string, run?: ListedBackup['run']): ListedBackup => ({
  id: text,
  from: now - fromAgo * minute,
  to: now - toAgo * minute,
  text,
  symbol: 'backup',
  ...(run && { run }),
})
const alone = { ofSeveral: false }

test('[M 3.1] each backup is there once: as its run if that is known, else as the time of its lock', () => {
  const logged = [backup(20, 10, 'Backup, 10m'), { ...backup(20, 20, 'Moved'), symbol: 'move' as const }]
  const texts = (...backups: ListedBackup[]) => withBackups(logged, backups).map(({ text }) => text)
  expect(texts(backup(20.2, 9.9, 'run, failed', alone))).toEqual(['Moved', 'run, failed'])
  expect(texts(backup(20.5, 20.5, 'newest')).toSorted()).toEqual(['Backup, 10m', 'Moved'])
  expect(texts(backup(5, 5, 'newest')).toSorted()).toEqual(['Backup, 10m', 'Moved', 'newest'])
  expect(withBackups([backup(20, 20, 'Backup started')], [backup(20.1, 20.1, 'newest')])).toHaveLength(1)
})

test('[M 3.1] in a run of several guests, the times are those of the guest, and so is its failure', () => {
  const logged = [backup(120, 115, 'Backup, 5m')]
  const several = (error?: string) =>
    withBackups(logged, [
      backup(180, 10, 'Backup with other guests, 2h 50m', { ofSeveral: true, error }),
    ]).map(({ from, to, text }) => [(now - from) / minute, (now - to) / minute, text])
  expect(several()).toEqual([[120, 115, 'Backup, 5m']])
  expect(several('no space')).toEqual([[120, 115, 'Backup failed: no space, 5m']])
  const unseen = [backup(180, 10, 'Backup with other guests, 2h 50m', { ofSeveral: true })]
  expect(withBackups([], unseen)).toEqual(unseen)
})
