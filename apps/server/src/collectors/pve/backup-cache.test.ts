import { expect, test } from 'vitest'
import { BackupCache } from './backup-cache.ts'
import { toSnapshot } from './backup-records.ts'

const context = {
  source: 'c1',
  instance: 'main',
  clusterName: undefined,
  isCluster: false,
  health: 'healthy' as const,
  wallOffset: 0,
}

function given() {
  const connection = { id: 'c1', name: 'main' }
  const cache = new BackupCache(connection)
  const snapshots = (vmid: number, ...names: string[]) =>
    names.map((name) => toSnapshot({ name, snaptime: 5 }, { vmid, node: 'pve1', type: 'qemu' }, cache.owner))
  const learn = (vmid: number, at: number, ...names: string[]) =>
    cache.learn(`snapshots ${vmid}`, snapshots(vmid, ...names), at, 1_000)
  return { connection, cache, learn }
}

test('what shows nothing new makes no new picture: a list without entries, one that was read again', () => {
  const { cache, learn } = given()
  learn(100, 0, 'a', 'b')
  const before = cache.records(context, 0)
  learn(101, 1)
  learn(100, 2, 'a', 'b')
  learn(101, 3)
  expect(cache.records(context, 3)).toBe(before)
  learn(101, 4, 'c')
  expect(cache.records(context, 4).size).toBe(3)
  learn(101, 5)
  expect([...cache.records(context, 5)]).toEqual([...before])
})

test('a record is copied when it is shown otherwise than it was read, and is itself again when it is not', () => {
  const { connection, cache, learn } = given()
  learn(100, 0, 'a', 'b')
  learn(101, 1_500, 'c')
  const read = [...cache.records(context, 0).values()]
  const old = [...cache.records(context, 2_000).values()]
  expect(old.map(({ id, staleSince }) => [id, staleSince])).toEqual([
    ['main-pve1-100-a', 0],
    ['main-pve1-100-b', 0],
    ['main-pve1-101-c', undefined],
  ])
  expect(old[2]).toBe(read[2])
  learn(100, 2_001, 'a', 'b')
  const again = [...cache.records(context, 2_002).values()]
  expect(again.every((one, n) => one === read[n])).toBe(true)
  connection.name = 'other'
  const renamed = [...cache.records({ ...context, instance: 'other' }, 2_002).values()]
  expect(renamed.map(({ id }) => id)).toEqual(['other-pve1-100-a', 'other-pve1-100-b', 'other-pve1-101-c'])
})
