import type { Guest, SnapshotFrame } from '@pulse/contract'
import { aGuest } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { usageOf } from '../usage.ts'
import { atOnce } from './in-steps.ts'
import { createWireReader } from './read.ts'
import { createWireWriter } from './write.ts'

const TB = 1e12
const guest = (used: number, rxBytes: number): Guest =>
  aGuest({
    disks: [
      { ...usageOf(used, 3 * TB), mountpoint: '/', device: '/dev/sda1' },
      { total: 9, mountpoint: '/boot' },
    ],
    networkInterfaces: [{ name: 'ens18', mac: 'bc:24:11:11:8c:92', rxBytes, txBytes: 7 }],
  })
const records = (one: Guest) => ({ guests: new Map([['a', one]]) })
const asPatch = (one: Guest) => ({ guests: { put: new Map([['a', one]]), remove: new Set<string>() } })
const writerOf = (one: Guest) => createWireWriter('live', 'e', records(one))
const snapshotOf = (writer: ReturnType<typeof writerOf>) =>
  JSON.parse(atOnce(writer.snapshot()).join('')) as SnapshotFrame

test('[design 5] file systems and interfaces of a guest are sent rounded, without derived fields', () => {
  const [sent] = snapshotOf(writerOf(guest(1_234_567_890_123, 97_396_508_528_430))).state.guests as Guest[]
  expect(sent!.disks).toEqual([
    { total: 3 * TB, used: 1_235_000_000_000, mountpoint: '/', device: '/dev/sda1' },
    { total: 9, mountpoint: '/boot' },
  ])
  expect(sent!.networkInterfaces).toEqual([
    { name: 'ens18', mac: 'bc:24:11:11:8c:92', rxBytes: 97_400_000_000_000, txBytes: 7 },
  ])
})

test('the reader computes derived fields, in a snapshot and in an update', () => {
  const writer = writerOf(guest(TB, 1))
  const reader = createWireReader()
  const first = reader.read(snapshotOf(writer))
  const read = (change: typeof first) => (change === 'gap' ? undefined : change.changed.guests?.put.get('a'))
  expect(read(first)?.disks).toEqual(guest(TB, 1).disks)
  const frame = JSON.parse(JSON.stringify(atOnce(writer.advance(asPatch(guest(2 * TB, 1))))))
  expect(read(reader.read(frame))?.disks).toEqual(guest(2 * TB, 1).disks)
})

test('a smaller change of a counter is no update', () => {
  const writer = writerOf(guest(TB, 97_396_508_528_430))
  expect(atOnce(writer.advance(asPatch(guest(TB + 1e6, 97_396_608_528_430))))).toBeUndefined()
})
