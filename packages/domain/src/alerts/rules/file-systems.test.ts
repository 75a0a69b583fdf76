import { aGuest } from '@pulse/testkit'
import { alertDefaults, type Guest } from '@pulse/contract'
import { expect, test } from 'vitest'
import { toKey } from '../../file-systems.ts'
import { fileSystemAlerts } from '../file-system-alerts.ts'
import { anEngine } from '../fixtures.ts'

const guests = (...list: Partial<Guest>[]) => ({ guests: list.map(aGuest) })
const usage = (percent: number) => ({ total: 100, used: percent, free: 100 - percent, usage: percent })
const disks = (...list: [string | undefined, number | undefined, string?][]) =>
  guests({
    disk: usage(95),
    disks: list.map(([mountpoint, percent, device]) => ({
      ...(mountpoint !== undefined && { mountpoint }),
      ...(device !== undefined && { device }),
      type: 'ext4',
      total: 100,
      ...(percent !== undefined && { used: percent, free: 100 - percent, usage: percent }),
    })),
  })

test('each file system is judged separately, instead of their sum', () => {
  const { tell, poll, open, alert } = anEngine()
  tell('main', disks(['/', 50], ['/var/lib', 95, 'sdb1']))
  poll('main')
  expect(open()).toEqual(['main:100-disk-var-lib-sdb1-disk'])
  expect(alert('main:100-disk-var-lib-sdb1-disk')).toMatchObject({
    type: 'disk',
    resourceId: 'main-pve1-100',
    metadata: { mountpoint: '/var/lib', device: 'sdb1', diskType: 'ext4', totalBytes: 100, usedBytes: 95 },
  })
})

test('the alerts of a file system are found by its key, whatever its length', () => {
  const long = `/${'long/'.repeat(200)}`
  const { tell, poll, open } = anEngine()
  tell('main', disks(['/srv', 95, 'sdb1'], [long, 95]))
  poll('main')
  const found = ['srv-sdb1', toKey(long)].flatMap((key) => [...fileSystemAlerts('main:100', key)])
  expect(open()).toHaveLength(2)
  expect(found).toEqual(expect.arrayContaining(open()))
})

test('file systems stay while the agent does not answer, and end with their file system', () => {
  const { tell, poll, open } = anEngine()
  tell('main', disks(['/', 95], ['/data', 96]))
  poll('main')
  poll('main', guests({}))
  expect(open()).toHaveLength(2)
  poll('main', disks(['/', 95]))
  expect(open()).toEqual(['main:100-disk-root-disk'])
  poll('main', guests({ status: 'stopped' }))
  expect(open()).toEqual([])
})

test('file systems end when their threshold is switched off while the agent does not answer', () => {
  const { tell, poll, open, configure, said } = anEngine()
  tell('main', disks(['/', 95]))
  poll('main')
  poll('main', guests({}))
  expect(open()).toHaveLength(1)
  configure({ guestDefaults: { ...alertDefaults.guestDefaults, disk: { trigger: 0, clear: 0 } } })
  expect(open()).toEqual([])
  expect(said.at(-1)).toMatchObject({ what: 'resolved', stored: { alert: { endReason: 'unwatched' } } })
})

test('without size or usage nothing fires, and a duplicate counts once', () => {
  const { tell, poll, open } = anEngine()
  tell('main', disks(['/', undefined], ['/a', 95], ['/a', 96], [undefined, 97]))
  poll('main')
  expect(open()).toEqual(['main:100-disk-a-disk', 'main:100-disk-disk-4-disk'])
})
