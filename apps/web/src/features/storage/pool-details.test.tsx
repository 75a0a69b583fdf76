// @vitest-environment happy-dom
import { aCephCluster, aPbsServer, aStorage } from '@pulse/testkit'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { within as timeout } from '../../../../../scripts/test-limits.ts'
import { estate, freshPools, given, poolRows as pools, row, zfsPool } from './fake-storage.tsx'

const GiB = 1024 ** 3

freshPools()

describe('[spec 1 §2] a Ceph storage', () => {
  const ceph = (change: Parameters<typeof aCephCluster>[0]) => ({
    ...estate,
    cephClusters: { f1: aCephCluster(change) },
  })
  const details = () => row('details:s3').textContent

  test('opens to its cluster: health, usage, OSDs up, PGs, the first two pools and the message', async () => {
    const pool = { id: 1, storedBytes: 10 * GiB, availableBytes: 1, objects: 0 }
    const three = ['vm', 'files', 'old'].map((name, at) => ({
      ...pool,
      id: at,
      name,
      percentUsed: 12.5 + at,
    }))
    await given(ceph({ health: 'HEALTH_WARN', healthMessage: '1 osds down', numOsdsUp: 5, pools: three }))
    expect(row('pool:s3').getAttribute('aria-expanded')).toBe('false')
    fireEvent.click(within(row('pool:s3')).getByText('fast'))
    for (const text of ['HEALTH_WARN', '1 osds down', '1.2 TB of 5.9 TB (20.0%)', 'OSDs up5/6', 'PGs129'])
      expect(details()).toContain(text)
    for (const text of ['vm12.5%', 'files13.5%', 'and 1 more']) expect(details()).toContain(text)
    expect(details()).not.toContain('old')
    fireEvent.click(within(row('pool:s1')).getByText('local'))
    expect(row('details:s1').textContent, 'another storage has no cluster').not.toContain('Health')
  })

  test('No pool data available', async () => {
    await given(ceph({ pools: [] }))
    fireEvent.click(within(row('pool:s3')).getByText('fast'))
    expect(details()).toContain('No pool data available')
  })

  test('[spec 1 §3] derived from the storages: health unknown, and that live telemetry is unavailable', async () => {
    await given(ceph({ health: 'HEALTH_UNKNOWN', healthMessage: 'x', numOsds: 2, numOsdsUp: 2, numPGs: 128 }))
    fireEvent.click(within(row('pool:s3')).getByText('fast'))
    for (const text of ['HealthUnknown', 'Live telemetry is unavailable', 'OSDs up2/2', 'PGs128'])
      expect(details()).toContain(text)
    expect(within(row('details:s3')).getByText('Unknown').className).toContain('text-accent')
  })

  test('tells of a cluster that is not well before it is opened', async () => {
    const live = await given(ceph({ health: 'HEALTH_ERR' }))
    expect(within(row('pool:s3')).getByText('HEALTH_ERR')).toBeDefined()
    act(() => live.put({ cephClusters: { f1: aCephCluster() } }))
    expect(within(row('pool:s3')).queryByText(/^HEALTH/)).toBeNull()
  })
})

describe('[spec 1 §2] a ZFS pool', () => {
  const degraded = {
    ...zfsPool,
    state: 'DEGRADED',
    readErrors: 4,
    checksumErrors: 12,
    devices: [
      { name: 'sdb', type: 'disk', state: 'FAULTED', readErrors: 4, writeErrors: 0, checksumErrors: 12 },
    ],
  }
  const note = () => row('note:s2')?.textContent

  test('that is well has no warning row', async () => {
    await given(estate)
    expect(note()).toBeUndefined()
  })

  test('that is degraded is not shown as well: its status is not green, and the page counts it', async () => {
    const live = await given(estate)
    const status = () => row('pool:s2').querySelectorAll('[role=gridcell]')[3]!
    expect(status().innerHTML).toContain('green')
    expect(document.body.textContent).toContain('Need attention 0')
    act(() => live.put({ storage: { s2: { ...estate.storage.s2, zfsPool: degraded } } }))
    expect(status().textContent).toBe('available')
    expect(status().innerHTML).not.toContain('green')
    expect(document.body.textContent).toContain('Need attention 1 storage')
  })

  test('that is not has one below its storage, with its state, its errors and the faulty devices', async () => {
    const live = await given(estate)
    act(() => live.put({ storage: { s2: { ...estate.storage.s2, zfsPool: degraded } } }))
    expect(pools().slice(-2)).toEqual(['pool:s2', 'note:s2'])
    for (const text of [
      'ZFS pool tank',
      'DEGRADED',
      'ERRORS',
      'Errors: 4 read, 0 write, 12 checksum',
      'sdbFAULTED',
    ])
      expect(note()).toContain(text)
    expect(within(row('note:s2')).getByText('DEGRADED').className).toContain('text-yellow')
    act(() => live.put({ storage: { s2: { ...estate.storage.s2, zfsPool } } }))
    expect(note()).toBeUndefined()
  })

  test('with errors alone is ONLINE, and has one', async () => {
    await given({
      ...estate,
      storage: { s2: { ...estate.storage.s2, zfsPool: { ...zfsPool, writeErrors: 1 } } },
    })
    expect(note()).toContain('ERRORS')
    expect(within(row('note:s2')).getByText('ONLINE').className).toContain('text-green')
  })
})

describe('[M 3.1] a storage on a backup server', () => {
  const pool = aStorage({
    name: 'backups',
    type: 'pbs',
    pbs: { server: 'pbs1.example', datastore: 'main' },
  })
  const datastore = (source: string) => ({ source, server: source, name: 'main', status: 'available' })
  const records = {
    ...estate,
    storage: { s4: pool },
    pbs: {
      other: aPbsServer({ source: 'other', name: 'other', host: 'https://pbs2.example:8007' }),
      own: aPbsServer({ source: 'own', name: 'cellar', host: 'https://pbs1.example:8007' }),
    },
    datastores: { 'other:main': datastore('other'), 'own:main': datastore('own') },
  }
  const open = () => fireEvent.click(within(row('pool:s4')).getByText('backups'))

  test('names its datastore, which leads to its own charts', async () => {
    await given(records)
    open()
    expect(row('details:s4').textContent).toContain('Datastoremain on cellar')
    fireEvent.click(within(row('details:s4')).getByRole('button', { name: 'History of main' }))
    expect(
      await screen.findByRole('dialog', { name: 'History of main' }, { timeout: timeout(20_000) }),
    ).toBeDefined()
  })

  test('of a server that Pulse does not monitor has none', async () => {
    await given({ ...records, pbs: { other: records.pbs.other } })
    open()
    expect(row('details:s4').textContent).not.toContain('Datastore')
  })
})

test('[M 3.5] an opened storage has its changes, closed', async () => {
  await given(estate)
  fireEvent.click(within(row('pool:s1')).getByText('local'))
  expect(within(row('details:s1')).getByText('Changes').closest('details')!.open).toBe(false)
})
