// @vitest-environment happy-dom
import { aDisk, aNode } from '@pulse/testkit'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cells, given, heads, openDisks, row, rowsOf, type } from './fake-storage.tsx'

const estate = {
  nodes: { n1: aNode(), n2: aNode({ node: 'pve2' }) },
  physicalDisks: {
    d1: aDisk(),
    d2: aDisk({ node: 'pve2', devPath: '/dev/nvme0n1', model: 'WD Red SN700', type: 'nvme', wearout: 5 }),
    d3: aDisk({ node: 'pve2', devPath: '/dev/sdb', model: 'ST4000', health: 'FAILED', wearout: -1 }),
  },
}

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('the disks', () => {
  test('[spec 1 §2] columns and figures', async () => {
    await given(estate)
    await openDisks()
    expect(row('disk:d1').parentElement!.style.minWidth).toBe('47.5rem')
    expect(heads('Physical disks')).toEqual([
      'Node',
      'Device',
      'Model',
      'Type',
      'FS',
      'Health',
      'SSD Life',
      'Temp',
      'Size',
    ])
    expect(rowsOf('Physical disks')).toEqual(['disk:d1', 'disk:d2', 'disk:d3'])
    expect(cells('disk:d1')).toEqual([
      'pve1',
      '/dev/sda',
      'Samsung SSD 870',
      'SATA',
      'ZFS',
      'HEALTHY',
      '97.0%',
      '34°C',
      '1,000 GB',
    ])
    expect([cells('disk:d2')[5], cells('disk:d3')[5], cells('disk:d3')[6]]).toEqual([
      'LOW LIFE',
      'FAILED',
      '—',
    ])
    expect(document.querySelector('[data-foot]')!.textContent).toBe('1 FAILED1 LOW LIFE')
  })

  test.each([
    [50, 'green'],
    [20, 'yellow'],
    [10, 'orange'],
    [9, 'red'],
  ])('[spec 1 §9] %d %% of life left is %s', async (wearout, tone) => {
    await given({ ...estate, physicalDisks: { d1: aDisk({ wearout }) } })
    await openDisks()
    const bar = row('disk:d1').querySelector<HTMLElement>('.usage-bar')!
    expect(bar.style.getPropertyValue('--fill')).toBe(`var(--${tone}-fill)`)
  })

  test.each([
    [60, undefined],
    [61, 'text-yellow'],
    [71, 'text-red'],
  ])('[spec 1 §9] %d °C is %s', async (temperature, tone) => {
    await given({ ...estate, physicalDisks: { d1: aDisk({ temperature }) } })
    await openDisks()
    const { className } = within(row('disk:d1')).getByText(`${temperature}°C`)
    expect(/text-(yellow|red)/.exec(className)?.[0]).toBe(tone)
  })

  test('[spec 1 §5] are searched by model, device, serial and node, and sorted by a head', async () => {
    await given(estate)
    await openDisks()
    await type('sn700', 'Search disks')
    expect(rowsOf('Physical disks')).toEqual(['disk:d2'])
    await type('', 'Search disks')
    fireEvent.click(within(screen.getByLabelText('Physical disks')).getByRole('button', { name: 'Health' }))
    expect(rowsOf('Physical disks')).toEqual(['disk:d3', 'disk:d2', 'disk:d1'])
  })

  test('a temperature says when it was read', async () => {
    await given({ ...estate, physicalDisks: { d1: aDisk({ smartAt: Date.UTC(2026, 0, 15, 12) }) } })
    await openDisks()
    expect(within(row('disk:d1')).getByText('34°C').dataset['tip']).toMatch(/^Read .*2026/)
  })

  test('[M 3.1] a row opens to the history of its disk', async () => {
    await given(estate)
    await openDisks()
    const opener = within(row('disk:d1')).getByRole('button', { name: 'Details of /dev/sda of pve1' })
    fireEvent.click(opener)
    expect(opener.getAttribute('aria-expanded')).toBe('true')
    const details = within(row('details:d1'))
    expect(await details.findByRole('group', { name: 'History of pve1 /dev/sda' })).toBeDefined()
    fireEvent.click(opener)
    expect(row('details:d1')).toBeNull()
  })

  test('a disk whose word is not taken says why', async () => {
    await given({ ...estate, physicalDisks: { d1: aDisk({ health: 'UNKNOWN', healthNote: 'because' }) } })
    await openDisks()
    expect(cells('disk:d1')[5]).toBe('UNKNOWN: because')
  })
})

test.each([
  [true, 'disks of a site; site:main is where Pulse runs'],
  [false, 'disks of this node'],
])('the tips of the search know site: with sites (%s)', async (hasSites, expected) => {
  const source = {
    name: 'main',
    kind: 'pve',
    health: 'healthy',
    ...(hasSites && { site: 'Berlin' }),
  } as const
  await given({ ...estate, sources: { main: source } })
  await openDisks()
  fireEvent.click(screen.getByRole('button', { name: 'Search tips' }))
  expect(await screen.findByText(expected)).toBeDefined()
  expect(screen.queryByText(/of a site/) !== null).toBe(hasSites)
})
