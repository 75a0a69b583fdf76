import { PhysicalDisk } from '@pulse/contract'
import { expect, test } from 'vitest'
import { isPhysical, temperatureOf, toDisk } from './disks.ts'
import type { MapContext } from './map.ts'
import { PveDisk, PveSmart } from './schema-disks.ts'

const context: MapContext = {
  source: 'c1',
  instance: 'main',
  clusterName: 'prod',
  health: 'healthy',
  wallOffset: Date.UTC(2026, 0, 1),
}
const parse = (fields: object = {}) =>
  PveDisk.parse({
    devpath: '/dev/sda',
    type: 'ssd',
    model: 'CT1000MX500SSD1',
    serial: 'S1',
    vendor: 'ATA     ',
    size: 1_000,
    health: 'PASSED',
    wearout: 97,
    rpm: 0,
    used: 'ZFS',
    ...fields,
  })
function shownOf(fields: object = {}, smart?: object) {
  const value = smart && PveSmart.parse(smart)
  const record = toDisk(
    { disk: parse(fields), at: 0, smart: value && { value, at: 0 } },
    'pve1',
    context,
    undefined,
  )
  expect(PhysicalDisk.safeParse(record).error).toBeUndefined()
  return record
}

test('[facts/collection 1.5] its id on the documented wire has dashes for slashes', () => {
  expect(shownOf({ devpath: '/dev/disk/a' }).id).toBe('main-pve1--dev-disk-a')
})

test.each([
  ['a number', 97, 97],
  ['a text', '97', 97],
  ['a text in quotes', '"\\"97\\""', 97],
  ['with a percent sign', '97%', 97],
  ['a maker’s own scale', 253, 100],
  ['not available', 'N/A', -1],
  ['nothing', null, -1],
  ['a negative number', -1, -1],
])('[facts 1.15] wear that is %s', (_what, wearout, expected) => {
  expect(shownOf({ wearout }).wearout).toBe(expected)
})

const ata = (attributes: object[]) => ({ type: 'ata', health: 'PASSED', attributes })

test.each<[string, object, object | undefined, number]>([
  ['of a disk that keeps an account of it', {}, ata([{ id: '202', raw: '100', value: '0' }]), 0],
  ['of a disk that keeps none', {}, ata([{ id: '  5', raw: '0', value: '100' }]), -1],
  ['of one that spins', { type: 'hdd' }, ata([{ id: '233', raw: '0', value: '0' }]), -1],
  ['before the first call', {}, undefined, -1],
])('[facts 6.4.40] a wear of 0 %s', (_what, fields, smart, expected) => {
  expect(shownOf({ wearout: 0, ...fields }, smart).wearout).toBe(expected)
})

test.each([
  ['an NVMe disk', { devpath: '/dev/nvme0n1', type: 'nvme' }, 'nvme'],
  ['a SAS disk, which hides its speed', { type: 'unknown', rpm: -1, health: 'OK' }, 'sas'],
  ['a SATA disk', { type: 'hdd', rpm: 5400 }, 'sata'],
  ['a disk on USB', { type: 'usb' }, 'other'],
  ['a disk behind a controller that tells nothing', { type: 'unknown', health: 'UNKNOWN' }, 'other'],
])('%s', (_what, fields, type) => {
  expect(shownOf(fields).type).toBe(type)
})

test.each([
  ['PASSED', {}, 'PASSED', false],
  ['FAILED!', { health: 'FAILED!' }, 'FAILED', false],
  ['SMART Disabled', { health: 'SMART Disabled' }, 'UNKNOWN', true],
  ['a word of its own', { health: 'SLEEPING' }, 'UNKNOWN', true],
  ['GOOD', { health: 'GOOD' }, 'GOOD', false],
  ['nothing', { health: undefined }, 'UNKNOWN', false],
  ['FAILED! by firmware', { health: 'FAILED!', model: 'Samsung SSD 980 PRO 2TB' }, 'UNKNOWN', true],
])('[facts 1.15] health %s', (_what, fields, health, isNoted) => {
  const disk = shownOf(fields)
  expect([disk.health, disk.healthNote !== undefined]).toEqual([health, isNoted])
})

test.each(['/dev/zd0', '/dev/dm-3', '/dev/vda', '/dev/rbd0', '/dev/loop1'])(
  '[facts 6.4.38] %s is no disk of its own',
  (devpath) => {
    expect(isPhysical(parse({ devpath }))).toBe(false)
  },
)

test.each([
  ['an NVMe text', { type: 'text', text: '\nTemperature:                        45 Celsius\n' }, 45],
  [
    'a SAS text',
    { type: 'text', text: 'Current Drive Temperature:     27 C\nDrive Trip Temperature: 65 C\n' },
    27,
  ],
  ['attribute 194 with more packed into it', ata([{ id: '194', raw: '36 (Min/Max 20/45)' }]), 36],
  ['attribute 190 where there is no other', ata([{ id: '190', raw: '31' }]), 31],
  ['what cannot be one', ata([{ id: '194', raw: '180' }]), undefined],
  ['nothing', ata([]), undefined],
])('[facts 6.4.38] a temperature by %s', (_what, smart, expected) => {
  expect(temperatureOf(PveSmart.parse(smart))).toBe(expected)
})
