import { expect, test } from 'vitest'
import { SourceError } from '../source-error.ts'
import { BackupCache } from './backup-cache.ts'
import { toTask } from './backup-records.ts'
import { BackupRuns } from './backup-runs.ts'
import type { MapContext } from './map.ts'
import { guestsIn } from './part-backup-runs.ts'
import { PveTask } from './schema-backups.ts'

const context: MapContext = {
  source: 'c1',
  instance: 'main',
  clusterName: undefined,
  health: 'healthy',
  wallOffset: 0,
}
const task = (upid: string, more: object = {}) =>
  PveTask.parse({
    upid,
    node: 'pve1',
    type: 'vzdump',
    id: '',
    starttime: 1000,
    endtime: 1100,
    status: 'OK',
    ...more,
  })
const running = { endtime: undefined, status: undefined }

function given() {
  const cache = new BackupCache({ id: 'c1', name: 'main' })
  const runs = new BackupRuns(cache)
  const shown = (now = 0) =>
    [...cache.records(context, now).values()].map((one) => ('upid' in one ? [one.upid, one.status] : []))
  return { cache, runs, shown }
}

test('[facts 1.17] a run is running until it is seen to have ended, and then that does not change', () => {
  const { runs, shown } = given()
  runs.news([task('a', running)], 0, 1_000)
  expect(shown()).toEqual([['a', 'RUNNING']])
  expect(runs.running().map(({ upid }) => upid)).toEqual(['a'])
  runs.news([task('a', { status: 'job errors' })], 1, 1_000)
  runs.news([task('a', running)], 2, 1_000)
  expect([shown(), runs.running()]).toEqual([[['a', 'job errors']], []])
})

test('what the cluster no longer remembers stays known', () => {
  const { runs, shown } = given()
  runs.learn('pve1', [task('old', { starttime: 10 })], 0, 1_000)
  runs.news([task('new', { starttime: 2_000 })], 1, 1_000)
  expect(shown().map(([upid]) => upid)).toEqual(['new', 'old'])
})

test('the end of a run is noticed once, by its node; runs of long ago that are read later are no news', () => {
  const { runs } = given()
  runs.news([task('a', running)], 0, 1_000)
  expect(runs.endedAt('pve1')).toBe(-Infinity)
  runs.learn('pve1', [task('long ago', { starttime: 5 })], 1, 1_000)
  expect(runs.endedAt('pve1')).toBe(-Infinity)
  runs.news([task('a')], 2, 1_000)
  expect([runs.endedAt('pve1'), runs.endedAt('pve2'), runs.endedAt()]).toEqual([2, -Infinity, 2])
})

test('guests whose snapshots changed since the last poll are noticed', () => {
  const { runs } = given()
  const made = (upid: string, id: string) => task(upid, { type: 'qmsnapshot', id })
  runs.news([made('a', '100')], 0, 1_000)
  runs.news([made('a', '100'), made('b', '101'), made('c', '102')], 5, 1_000)
  expect([100, 101, 102].map((vmid) => runs.changedAt(vmid))).toEqual([-Infinity, 5, 5])
})

test('runs over several guests whose log is not known are asked for, the newest first, and no older ones', () => {
  const { runs } = given()
  const tasks = [10, 20, 30, 40].map((starttime) => task(`t${starttime}`, { starttime }))
  runs.learn('pve1', [...tasks, task('single', { id: '100', starttime: 50 })], 0, 1_000)
  expect(runs.unread('pve1').map(({ upid }) => upid)).toEqual(['t40', 't30', 't20'])
  runs.learnGuests('pve1', 't40', [{ vmid: 100 }], 1, 1_000)
  expect(runs.unread('pve1').map(({ upid }) => upid)).toEqual(['t30', 't20'])
})

test('[R18] that a guest was saved is listed by the newest run alone, however many nights there were; what failed stays', () => {
  const { cache, runs } = given()
  const nights = [10, 20, 30, 40].map((starttime) => task(`t${starttime}`, { starttime }))
  const single = task('single', { id: '102', starttime: 35 })
  runs.learn('pve1', [...nights, single, task('now', { ...running, id: '103', starttime: 50 })], 0, 1_000)
  const all = [100, 101, 102, 103].map((vmid) => ({ vmid }))
  const failed = [{ vmid: 100 }, { vmid: 101, error: 'no space' }, { vmid: 104 }]
  for (const [upid, guests] of [
    ['t10', all],
    ['t20', failed],
    ['t30', all],
    ['t40', [{ vmid: 100 }]],
  ] as const)
    runs.learnGuests('pve1', upid, guests, 1, 1_000)
  const listed = [...cache.records(context, 1).values()].flatMap((one) =>
    'upid' in one && one.guests ? [[one.upid, one.guests]] : [],
  )
  expect(listed).toEqual([
    ['t40', [{ vmid: 100 }]],
    // The separate run of 102 is newer. The run of 103 has not ended.
    ['t30', [{ vmid: 101 }, { vmid: 103 }]],
    ['t20', [{ vmid: 101, error: 'no space' }, { vmid: 104 }]],
    ['t10', []],
  ])
  expect(runs.unread('pve1')).toEqual([])
})

test('[facts 1.17] the log of a run says how each guest fared', () => {
  expect(
    guestsIn([
      'INFO: starting new backup job: vzdump --all 1',
      'INFO: Starting Backup of VM 100 (qemu)',
      'INFO: Finished Backup of VM 100 (00:00:12)',
      'INFO: Starting Backup of VM 101 (lxc)',
      "ERROR: Backup of VM 101 failed - command 'tar' failed: exit code 2",
      'INFO: Backup job finished with errors',
    ]),
  ).toEqual([{ vmid: 100 }, { vmid: 101, error: "command 'tar' failed: exit code 2" }])
})

test('an unchanged list keeps its records, an unchanged whole its map; another name changes the ids alone', () => {
  const { cache, runs } = given()
  runs.news([task('a')], 0, 1_000)
  const before = cache.records(context, 0)
  runs.news([task('a')], 5, 1_000)
  expect(cache.records(context, 5)).toBe(before)
  const after = cache.records({ ...context, instance: 'other' }, 5)
  expect([...after]).toEqual([['c1:a', { ...before.get('c1:a'), id: 'other-a' }]])
})

test('[R7] a list that is not read again in time, or whose node is off, says since when it is old', () => {
  const { cache, runs } = given()
  const since = (now: number, lost = new Map<string, number>()) =>
    [...cache.records({ ...context, lost }, now).values()][0]!.staleSince
  runs.news([task('a')], 100, 1_000)
  expect(since(1_100)).toBeUndefined()
  expect(since(1_101)).toBe(100)
  runs.news([task('a')], 1_200, 1_000)
  expect([since(1_201), since(1_201, new Map([['pve1', 1]]))]).toEqual([undefined, 1_200])
})

test('[design 9] thousands of new records come in steps, and nothing that was shown goes meanwhile', () => {
  const { cache } = given()
  const { owner } = cache
  const many = Array.from({ length: 5_000 }, (_, n) => toTask(task(`t${n}`), owner))
  cache.learn('runs pve1', many, 0, 1_000_000)
  const sizes: number[] = []
  for (let step = 0; step < 4; step++) {
    sizes.push(cache.records(context, step).size)
    expect(cache.hasMore).toBe(step < 2)
  }
  expect(sizes).toEqual([2_000, 4_000, 5_000, 5_000])
})

test('[S13] more than can be shown is refused, what was known stays, and what goes makes room', () => {
  const { cache } = given()
  const one = toTask(task('t'), cache.owner)
  const many = (count: number) => Array.from({ length: count }, (_, n) => ({ ...one, upid: `t${n}` }))
  cache.learn('storage a', many(199_000), 0, 1_000)
  cache.learn('storage b', many(1_000), 0, 1_000)
  cache.learn('storage b', many(900), 0, 1_000)
  expect(() => cache.learn('storage c', many(101), 0, 1_000)).toThrow(SourceError)
  cache.drop((name) => name === 'storage b')
  cache.learn('storage c', many(1_000), 0, 1_000)
  expect(() => cache.learn('storage d', many(1), 0, 1_000)).toThrow(/more backups than Pulse can show/)
})
