import type { Guest, GuestDisk } from '@pulse/contract'
import { aGuest } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { atOnce } from '../wire/in-steps.ts'
import { FileSystemTable, mostFileSystems } from './file-system-table.ts'

const T0 = 1_790_000_000_000
const disk = (mountpoint: string, usage?: number, change: Partial<GuestDisk> = {}): GuestDisk => ({
  mountpoint,
  total: 100,
  ...(usage !== undefined && { used: usage, free: 100 - usage, usage }),
  ...change,
})

function given() {
  const guests = new Map<string, Guest>()
  const table = new FileSystemTable(guests)
  return {
    put: (change: Partial<Guest>, id = 'main:100') =>
      void guests.set(id, aGuest({ source: 'main', ...change })),
    remove: (id = 'main:100') => void guests.delete(id),
    /** usage, or the word for its absence, by id */
    refresh(now = T0) {
      atOnce(table.refresh(now))
      return Object.fromEntries(
        [...table.records].map(
          ([
            id,
            {
              guest,
              disk: { usage },
              staleSince,
            },
          ]) => [
            id,
            guest.status === 'stopped'
              ? 'stopped'
              : staleSince === undefined
                ? usage
                : `silent ${staleSince - T0}`,
          ],
        ),
      )
    },
  }
}

test('[M 1.1] each file system with a usage is one thing, by mount point and device', () => {
  const { put, refresh } = given()
  put({ disks: [disk('/', 40), disk('/srv', 70, { device: 'sdb1' }), disk('/mnt')] })
  expect(refresh()).toEqual({ 'main:100:root': 40, 'main:100:srv-sdb1': 70 })
  put({ disks: [disk('/srv', 71, { device: 'sdb1' }), disk('/', 41)] })
  expect(refresh()).toEqual({ 'main:100:root': 41, 'main:100:srv-sdb1': 71 })
})

test('[M 1.2] they stay while their guest is stopped or its agent is silent, and say so', () => {
  const { put, refresh } = given()
  put({ disks: [disk('/', 40)] })
  refresh()
  put({ status: 'stopped' })
  expect(refresh(T0 + 1)).toEqual({ 'main:100:root': 'stopped' })
  put({ status: 'running' })
  expect(refresh(T0 + 2)).toEqual({ 'main:100:root': 'silent 2' })
  put({ disks: [disk('/')] })
  expect(refresh(T0 + 3)).toEqual({ 'main:100:root': 'silent 3' })
  put({ disks: [disk('/', 40, { staleSince: T0 - 5 })] })
  expect(refresh(T0 + 4)).toEqual({ 'main:100:root': 'silent -5' })
  put({ disks: [disk('/', 40)], staleSince: T0 - 7 })
  expect(refresh(T0 + 5)).toEqual({ 'main:100:root': 'silent -7' })
  put({ disks: [disk('/', 42)] })
  expect(refresh(T0 + 6)).toEqual({ 'main:100:root': 42 })
})

test('[M 1.4] one that is not listed any more is gone, and so are those of a guest that is gone', () => {
  const { put, remove, refresh } = given()
  put({ disks: [disk('/', 40), disk('/srv', 70)] })
  put({ disks: [disk('/', 10)] }, 'main:101')
  refresh()
  put({ disks: [disk('/srv', 70)] })
  expect(Object.keys(refresh())).toEqual(['main:100:srv', 'main:101:root'])
  remove()
  expect(Object.keys(refresh())).toEqual(['main:101:root'])
  remove('main:101')
  expect(refresh()).toEqual({})
})

test('of very many, the first ones are kept; equal names count once, and a name of any length is short', () => {
  const { put, refresh } = given()
  put({ disks: Array.from({ length: 5_000 }, (_, n) => disk(`/volumes/${n}`, 40)) })
  expect(Object.keys(refresh())).toHaveLength(mostFileSystems)
  put({ disks: [disk('/', 40), disk('/', 50)] })
  expect(refresh()).toEqual({ 'main:100:root': 40 })
  put({ disks: [disk(`/${'long/'.repeat(100_000)}`, 40)] })
  expect(Object.keys(refresh())[0]!.length).toBeLessThan(250)
})

test('of very many, those that are known stay, whatever is mounted before them', () => {
  const { put, refresh } = given()
  put({ disks: [disk('/', 40)] })
  refresh()
  const volumes = (from: number) => Array.from({ length: 100 }, (_, n) => disk(`/volumes/${from + n}`, 40))
  put({ disks: [...volumes(0), disk('/', 40)] })
  const before = Object.keys(refresh())
  expect(before).toHaveLength(mostFileSystems)
  expect(before).toContain('main:100:root')
  put({ disks: [...volumes(-20), disk('/', 40)] })
  expect(Object.keys(refresh())).toEqual(expect.arrayContaining(before))
})

test('long names that begin alike are two things', () => {
  const { put, refresh } = given()
  put({ disks: ['one', 'two'].map((end) => disk(`/${'long/'.repeat(100)}${end}`, 40)) })
  expect(Object.keys(refresh())).toHaveLength(2)
})

test('a guest that has not changed costs nothing', () => {
  const guest = aGuest({ source: 'main', disks: [disk('/', 40)] })
  let reads = 0
  const watched = new Proxy(guest, {
    get(one, name) {
      if (name === 'disks') reads++
      return Reflect.get(one, name) as unknown
    },
  })
  const table = new FileSystemTable(new Map([['main:100', watched]]))
  atOnce(table.refresh(T0))
  const first = reads
  atOnce(table.refresh(T0))
  expect([first > 0, reads]).toEqual([true, first])
})
