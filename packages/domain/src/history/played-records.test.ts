import {
  type AnyRecord,
  figures,
  type Figure,
  type Guest,
  type MeasuredKind,
  metricsOfKind,
} from '@pulse/contract'
import { aDockerContainer, aGuest, aNode, aPbsServer, aStorage } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { subjects } from '../alerts/rules/index.ts'
import { playedFileSystem, playedKind, playedRecord } from './played-records.ts'
import { unplayedOf } from './unplayed.ts'

const samples: Record<MeasuredKind, AnyRecord> = {
  guests: aGuest(),
  nodes: aNode(),
  pbs: aPbsServer(),
  storage: aStorage(),
  datastores: { server: 'pbs', name: 'main', status: 'available', source: 'backup' },
  dockerContainers: aDockerContainer(),
}
const kinds = Object.keys(metricsOfKind) as MeasuredKind[]

test.each(kinds.flatMap((kind) => metricsOfKind[kind].map((metric) => [kind, metric] as const)))(
  '[M 3.7] a played record of %s has the %s that was put in, and no other figure with a threshold',
  (kind, metric) => {
    const record = playedKind(kind).with[metric]!(playedRecord(kind, '', samples[kind])!, 0.5, 0)
    const all = figures[kind] as unknown as Record<string, Figure<AnyRecord>>
    const known = metricsOfKind[kind].filter((one) => all[one]!.read(record) !== undefined)
    expect(known).toEqual([metric])
    expect(all[metric]!.read(record)).toBe(0.5)
    expect(all[metric]!.isStale?.(record)).not.toBe(true)
  },
)

test('[M 3.7] every kind with thresholds has rules that judge it', () => {
  expect(kinds.filter((kind) => !subjects.some((subject) => subject.kind === kind))).toEqual([])
})

test('[M 3.7] a played file system is its guest with the usage that was put in, and nothing of now', () => {
  const disk = {
    mountpoint: '/srv',
    device: 'sdb1',
    type: 'ext4',
    total: 0,
    used: 99,
    usage: 99,
    staleSince: 1,
  }
  const played = playedFileSystem(aGuest({ name: 'web', disks: [disk] }), disk)
  const { disks, ...record } = playedKind('guests').with['disk']!(played, 42, 0) as Guest
  expect(disks).toEqual([{ mountpoint: '/srv', device: 'sdb1', total: expect.any(Number), usage: 42 }])
  // the live rule leaves out file systems without a size
  expect(disks![0]!.total).toBeGreaterThan(0)
  expect(record).toEqual(playedRecord('guests', 'disk', aGuest({ name: 'web' })))
  const stopped = playedKind('guests').stopped!(played) as Guest
  expect([stopped.status, stopped.disks![0]!.usage]).toEqual(['stopped', undefined])
})

test('[M 3.7] a guest of more file systems than are recorded is not played as a whole', () => {
  const guestOf = (count: number) =>
    aGuest({ disks: Array.from({ length: count }, () => ({ total: 100, used: 50, free: 50, usage: 50 })) })
  expect([64, 65].map((count) => unplayedOf('guests', 'disk', guestOf(count)))).toEqual([undefined, 'some'])
  expect(unplayedOf('guests', 'cpu', guestOf(65))).toBeUndefined()
})
