import { aDisk } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { cephTone, isCeph } from '../../parts/storage/ceph.ts'
import { diskHealth, isTroubled } from '../../parts/alerts/disk-health.ts'
import { lifeOf, temperatureOf } from '../../parts/storage/disk-health.ts'
import { errorsText, zfsTone } from '../../parts/storage/zfs-trouble.tsx'

test.each([
  ['PASSED', 97, 'HEALTHY'],
  ['OK', -1, 'HEALTHY'],
  ['good', 10, 'HEALTHY'],
  ['PASSED', 9, 'LOW LIFE'],
  ['OK', 1, 'LOW LIFE'],
  ['PASSED', 0, 'HEALTHY'],
  ['FAILED', 97, 'FAILED'],
  ['FAILED', 5, 'FAILED'],
  ['UNKNOWN', 50, 'UNKNOWN'],
  ['', -1, 'UNKNOWN'],
  ['predicted to fail', 50, 'UNKNOWN'],
])('[spec 1 §4] a disk that says %s with %d %% left is %s', (health, wearout, expected) => {
  expect(diskHealth(aDisk({ health, wearout }))).toBe(expected)
})

test('[spec 1 §3] life and temperature that are not known are none', () => {
  expect([lifeOf(aDisk({ wearout: -1 })), lifeOf(aDisk({ wearout: 0 }))]).toEqual([undefined, 0])
  expect([temperatureOf(aDisk({ temperature: 0 })), temperatureOf(aDisk())]).toEqual([undefined, 34])
})

test.each([
  ['ONLINE', 'green'],
  ['DEGRADED', 'yellow'],
  ['FAULTED', 'red'],
  ['UNAVAIL', 'red'],
  ['SUSPENDED', 'red'],
] as const)('[spec 1 §4] a ZFS pool that is %s is %s', (state, tone) => {
  expect(zfsTone(state)).toBe(tone)
})

const pool = { name: 'tank', state: 'ONLINE', readErrors: 0, writeErrors: 0, checksumErrors: 0, devices: [] }

test.each([
  [{}, false],
  [{ state: 'DEGRADED' }, true],
  [{ readErrors: 1 }, true],
  [{ writeErrors: 1 }, true],
  [{ checksumErrors: 1 }, true],
])('[spec 1 §2] a pool with %o has a warning row: %s', (change, expected) => {
  expect(isTroubled({ ...pool, ...change })).toBe(expected)
})

test('[spec 1 §2] its errors in words', () => {
  expect(errorsText({ readErrors: 3, writeErrors: 0, checksumErrors: 12 })).toBe(
    'Errors: 3 read, 0 write, 12 checksum',
  )
})

test.each([
  ['HEALTH_OK', 'green'],
  ['HEALTH_WARN', 'yellow'],
  ['HEALTH_ERR', 'red'],
  ['HEALTH_CRIT', 'red'],
  ['HEALTH_UNKNOWN', 'accent'],
  ['', 'accent'],
] as const)('[spec 1 §4] Ceph that says %s is %s', (health, tone) => {
  expect(cephTone(health)).toBe(tone)
})

test('[spec 1 §3] storages of type rbd, cephfs and ceph lie on Ceph', () => {
  expect(['rbd', 'cephfs', 'ceph', 'zfspool', 'dir'].filter((type) => isCeph({ type }))).toHaveLength(3)
})
