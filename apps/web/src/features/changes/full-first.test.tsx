// @vitest-environment happy-dom
import { aCephCluster, aGuest, aStorage } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Datastore } from '@pulse/contract'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { FullFirst } from './full-first.tsx'

const now = Date.UTC(2026, 5, 15)
const day = 24 * 3_600_000
const inDays = (days: number) => ({
  fullAt: now + days * day,
  earliestAt: now + 0.5 * days * day,
  latestAt: now + 2 * days * day,
  since: now - 14 * day,
})
const aDatastore = (change: Partial<Datastore>): Datastore => ({
  server: 'pbs-backup',
  source: 'backup',
  name: 'store1',
  status: 'available',
  ...change,
})

beforeEach(() => void vi.setSystemTime(now))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const list = () => within(screen.getByRole('region', { name: 'Full first' }))
const lines = () =>
  list()
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

test('[M 3.6] storages, datastores, Ceph clusters and disks of guests, the soonest first, with their range', async () => {
  await renderInApp(<FullFirst />, {
    live: aLive({
      storage: {
        a: aStorage({ name: 'local', node: 'pve1', shared: false, forecast: inDays(30) }),
        b: aStorage({ name: 'still', forecast: { reason: 'flat' } }),
        c: aStorage({ name: 'new' }),
      },
      datastores: { 'backup:store1': aDatastore({ forecast: inDays(12) }) },
      cephClusters: { f1: aCephCluster({ name: 'ceph', forecast: inDays(200) }) },
      guests: { 'main:100': aGuest({ name: 'web', node: 'pve1', forecast: inDays(0.5) }) },
    }),
  })
  expect(lines()).toEqual([
    'webDisk of guest · pve1Between 0 and 1 day, from the last 14 days< 1 day',
    'store1DatastoreBetween 6 and 24 days, from the last 14 days12 days',
    'localStorage · pve1Between 15 and 60 days, from the last 14 days30 days',
    'cephCeph clusterBetween 100 and 400 days, from the last 14 days200 days',
  ])
  expect(list().getByRole('link', { name: 'web' }).getAttribute('href')).toBe('/proxmox/guest/main%3A100')
})

test('[M 3.6] each file system of a guest has its own date', async () => {
  const disks = [
    { mountpoint: '/', total: 100, forecast: inDays(40) },
    { device: 'sdb1', total: 100, forecast: inDays(4) },
    { mountpoint: '/srv', total: 100 },
  ]
  await renderInApp(<FullFirst />, {
    live: aLive({ guests: { 'main:100': aGuest({ name: 'web', node: 'pve1', disks }) } }),
  })
  expect(lines()).toEqual([
    'webFile system sdb1 · pve1Between 2 and 8 days, from the last 14 days4 days',
    'webFile system / · pve1Between 20 and 80 days, from the last 14 days40 days',
  ])
})

test('[M 3.6] file systems of one mount point, the second over the first, are two lines', async () => {
  const errors = vi.spyOn(console, 'error')
  onTestFinished(() => errors.mockRestore())
  const over = (device: string, days: number) => ({
    mountpoint: '/mnt',
    device,
    total: 100,
    forecast: inDays(days),
  })
  const guest = (...disks: ReturnType<typeof over>[]) => ({
    guests: { 'main:100': aGuest({ name: 'web', node: 'pve1', disks }) },
  })
  const [first, second] = [over('sdb1', 4), over('sdc1', 40)]
  const { live } = await renderInApp(<FullFirst />, { live: aLive(guest(first, second)) })
  expect(lines()).toHaveLength(2)
  await act(async () => live.put(guest(second)))
  expect(lines()).toEqual([expect.stringContaining('40 days')])
  expect(errors).not.toHaveBeenCalled()
})

test('[M 3.6] a datastore is listed once when a cluster uses it, too', async () => {
  const pbs = { server: 'backup.example', datastore: 'store1' }
  await renderInApp(<FullFirst />, {
    live: aLive({
      storage: { a: aStorage({ name: 'offsite', type: 'pbs', pbs, forecast: inDays(12) }) },
      datastores: { 'backup:store1': aDatastore({ forecast: inDays(12) }) },
    }),
  })
  expect(lines()).toHaveLength(1)
  cleanup()
  await renderInApp(<FullFirst />, {
    live: aLive({ storage: { a: aStorage({ name: 'offsite', type: 'pbs', pbs, forecast: inDays(12) }) } }),
  })
  expect(lines()).toEqual([expect.stringContaining('offsite')])
})

test('[M 3.6] is absent while nothing has a date', async () => {
  const { live } = await renderInApp(<FullFirst />, {
    live: aLive({ storage: { a: aStorage({ name: 'local', forecast: { reason: 'flat' } }) } }),
  })
  expect(screen.queryByRole('region')).toBeNull()
  await act(async () => live.put({ storage: { a: aStorage({ name: 'local', forecast: inDays(3) }) } }))
  expect(lines()).toHaveLength(1)
})

test('[M 3.6] of many, ten are shown until all are asked for', async () => {
  const guests = Object.fromEntries(
    Array.from({ length: 25 }, (_, n) => [
      `main:${n}`,
      aGuest({ vmid: n, name: `g${n}`, forecast: inDays(n + 2) }),
    ]),
  )
  await renderInApp(<FullFirst />, { live: aLive({ guests }) })
  expect(lines()).toHaveLength(10)
  fireEvent.click(list().getByRole('button', { name: 'Show all 25' }))
  expect(lines()).toHaveLength(25)
  fireEvent.click(list().getByRole('button', { name: 'Show fewer' }))
  expect(lines()).toHaveLength(10)
})
