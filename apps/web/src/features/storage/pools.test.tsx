// @vitest-environment happy-dom
import { aCephCluster, aNode, anAlert, aStorage } from '@pulse/testkit'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import {
  cells,
  estate,
  freshPools,
  given,
  heads,
  onAll,
  poolRows as pools,
  row,
  search,
  type,
} from './fake-storage.tsx'

freshPools()

describe('the pools', () => {
  test('[spec 1 §2] columns and figures By Node', async () => {
    await given(estate)
    expect(row('pool:s1').parentElement!.style.minWidth).toBe('56.25rem')
    expect(heads('Storage pools')).toEqual([
      'Storage',
      'Type',
      'Content',
      'Status',
      'Usage',
      'Free',
      'Total',
      'Full in',
      'Shared',
    ])
    expect(pools()).toEqual([
      'node:main/',
      'pool:s3',
      'node:main/pve1',
      'pool:s1',
      'node:main/pve2',
      'pool:s2',
    ])
    expect(cells('pool:s1')).toEqual([
      'local',
      'dir',
      'iso, vztmpl, backup',
      'available',
      '30.0%',
      '70 GB',
      '100 GB',
      '—',
      'No',
    ])
    expect(cells('pool:s3').at(-1)).toBe('2 nodes')
  })

  test('[spec 1 §2] By Storage: one list, without the column Shared, each with its nodes', async () => {
    await given(estate)
    fireEvent.click(screen.getByRole('radio', { name: 'By Storage' }))
    expect(heads('Storage pools').at(-1)).toBe('Full in')
    expect(pools()).toEqual(['pool:s3', 'pool:s1', 'pool:s2'])
    expect([cells('pool:s1')[0], cells('pool:s3')[0]]).toEqual(['localpve1', 'fast2 nodes'])
  })

  test('[spec 1 §4] a new column sorts ascending, a second click turns it round, Reset goes back', async () => {
    await given({ ...estate, storage: { ...estate.storage, s4: aStorage({ name: 'data', usage: 99 }) } })
    fireEvent.click(screen.getByRole('radio', { name: 'By Storage' }))
    const head = within(screen.getByLabelText('Storage pools')).getByRole('button', { name: 'Usage' })
    fireEvent.click(head)
    expect(pools().at(-1)).toBe('pool:s4')
    fireEvent.click(head)
    expect(pools()[0]).toBe('pool:s4')
    await type('a')
    fireEvent.click(screen.getByRole('button', { name: 'Reset' }))
    expect(search().value).toBe('')
    expect(pools()[0]).toBe('node:main/')
    expect(pools().slice(3, 5)).toEqual(['pool:s4', 'pool:s1'])
  })

  test('[spec 1 §2] the order may be chosen without a head, by the node too', async () => {
    await given(estate)
    const order = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Sort by' })
    expect([...order.options].map(({ value }) => value)).toEqual([
      'name',
      'node',
      'type',
      'status',
      'usage',
      'free',
      'total',
      'fullIn',
    ])
    fireEvent.click(screen.getByRole('radio', { name: 'By Storage' }))
    fireEvent.change(order, { target: { value: 'node' } })
    fireEvent.click(screen.getByRole('button', { name: 'Ascending, change to descending' }))
    expect(pools()).toEqual(['pool:s2', 'pool:s1', 'pool:s3'])
    expect([localStorage.getItem('storageSortKey'), localStorage.getItem('storageViewMode')]).toEqual([
      'node',
      'storage',
    ])
  })

  test.each([
    [79.9, undefined],
    [80, 'text-yellow'],
    [90, 'text-red'],
  ])('[spec 1 §9] at %d %% the bar is %s', async (usage, tone) => {
    await given({ ...estate, storage: { s1: aStorage({ usage }) } })
    const figure = within(row('pool:s1')).getByText(usage.toFixed(1))
    expect(/text-(yellow|red)/.exec(figure.className)?.[0]).toBe(tone)
  })

  test('[spec 1 §4] a storage that is not available is dimmed, its status in red; what is unknown is not zero', async () => {
    const gone = { status: 'inactive', active: false, total: undefined, used: undefined, usage: undefined }
    await given({ ...estate, storage: { s1: aStorage({ ...gone, free: undefined, avail: undefined }) } })
    expect(row('pool:s1').querySelector('[data-dimmed="true"]')).not.toBeNull()
    expect(within(row('pool:s1')).getByText('inactive').className).toContain('text-red')
    expect(cells('pool:s1').slice(4, 7)).toEqual(['—', '—', '—'])
  })

  test('a shared storage that some nodes cannot use says on which', async () => {
    await given({ ...estate, storage: { s1: aStorage({ ...onAll, inactiveOn: ['pve2'] }) } })
    expect(within(row('pool:s1')).getByText('Inactive on pve2')).toBeDefined()
    expect(cells('pool:s1')[3]).toBe('available')
  })

  test('the storage of a silent node keeps its figures in grey; how old they are stands once, above them', async () => {
    const staleSince = Date.now() - 120_000
    const silent = aNode({ connectionHealth: 'error', staleSince })
    await given({ nodes: { n1: silent }, storage: { s1: aStorage({ usage: 95, staleSince }) } })
    expect(cells('pool:s1').slice(0, 5)).toEqual([
      'local',
      'dir',
      'iso, vztmpl, backup',
      'available',
      '95.0%',
    ])
    expect(within(row('pool:s1')).getByText('95.0').className).not.toContain('text-red')
    expect(row('node:main\0pve1').textContent).toMatch(/Stale 2m/)
    fireEvent.click(screen.getByRole('radio', { name: 'By Storage' }))
    expect(cells('pool:s1')[0]).toMatch(/Stale 2m/)
  })

  test('[spec 1 §4] a click on the order that is chosen goes back to By Node', async () => {
    await given(estate)
    fireEvent.click(screen.getByRole('radio', { name: 'By Storage' }))
    expect(pools()[0]).toBe('pool:s3')
    fireEvent.click(screen.getByRole('radio', { name: 'By Storage' }))
    expect(pools()[0]).toBe('node:main/')
  })

  test('[spec 1 §5] a node that is named and a word leave what matches both', async () => {
    await given(estate)
    await type('node:pve2 zfs')
    expect(pools()).toEqual(['node:main/pve2', 'pool:s2'])
  })

  test('[spec 1 §3] an unknown value that the browser has stored falls back to what is usual', async () => {
    localStorage.setItem('storageViewMode', 'upside down')
    localStorage.setItem('storageSortKey', 'colour')
    await given(estate)
    expect(pools()[0]).toBe('node:main/')
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Sort by' }).value).toBe('name')
  })

  test('what is old has no colour: neither its Ceph nor the nodes that cannot use it', async () => {
    const staleSince = Date.now() - 120_000
    const pool = aStorage({ ...onAll, name: 'fast', type: 'rbd', inactiveOn: ['pve2'] })
    const cephClusters = { f1: aCephCluster({ health: 'HEALTH_ERR' }) }
    const live = await given({ ...estate, cephClusters, storage: { s3: pool } })
    const badge = (text: string) => within(row('pool:s3')).getByText(text).className
    expect([badge('HEALTH_ERR'), badge('Inactive on pve2')]).toEqual([
      expect.stringContaining('text-red'),
      expect.stringContaining('text-orange'),
    ])
    act(() => live.put({ storage: { s3: { ...pool, staleSince } } }))
    expect(badge('HEALTH_ERR')).not.toContain('text-red')
    expect(badge('Inactive on pve2')).not.toContain('text-orange')
  })

  test('[spec 1 §2] an unacknowledged alert is a stripe at its row', async () => {
    const alert = anAlert({ resourceId: 'main-pve1-local', type: 'usage', level: 'critical' })
    await given({ ...estate, activeAlerts: { a: alert } })
    expect(row('pool:s1').querySelector('[data-alert=critical]')).not.toBeNull()
  })

  test('on a phone two lines: name, type and status, then the figures', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
    await given(estate)
    expect(cells('pool:s1')).toEqual(['localavailabledir', 'Used30.0%Free70 GBTotal100 GB'])
  })
})

test('[M 3.1] a row opens to the history of its storage', async () => {
  await given(estate)
  const opener = within(row('pool:s1')).getByRole('button', { name: 'Details of local' })
  fireEvent.click(opener)
  expect(await within(row('details:s1')).findByRole('group', { name: 'History of local' })).toBeDefined()
  fireEvent.click(opener)
})
