// @vitest-environment happy-dom
import { aDisk, aNode, aStorage } from '@pulse/testkit'
import { cleanup, fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  cells,
  given,
  heads,
  openDisks,
  poolRows as pools,
  press,
  row,
  rowsOf,
  search,
  type,
} from './fake-storage.tsx'

const estate = {
  nodes: { n1: aNode(), n2: aNode({ node: 'pve2' }) },
  storage: {
    s1: aStorage({ name: 'local' }),
    s2: aStorage({ name: 'tank', node: 'pve2', type: 'zfspool' }),
    s3: aStorage({ name: 'fast', shared: true, node: 'cluster', nodes: ['pve1', 'pve2'], nodeCount: 2 }),
  },
  physicalDisks: {
    d1: aDisk(),
    d2: aDisk({ node: 'pve2', devPath: '/dev/nvme0n1' }),
    d3: aDisk({ node: 'pve2', devPath: '/dev/sdb' }),
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

describe('[spec 1 §2] the nodes above', () => {
  test('count storages and disks', async () => {
    await given(estate)
    expect(heads('Nodes').slice(-2)).toEqual(['Storage', 'Disks'])
    expect([cells('pve:n1').slice(-2), cells('pve:n2').slice(-2)]).toEqual([
      ['2', '1'],
      ['2', '2'],
    ])
  })

  test('a click on one leaves what it has on both tabs, Escape gives it up', async () => {
    await given(estate)
    fireEvent.click(row('pve:n2'))
    expect(pools().filter((one) => one.startsWith('pool:'))).toEqual(['pool:s3', 'pool:s2'])
    expect(row('pve:n1').querySelector('[data-dimmed="true"]')).not.toBeNull()
    await openDisks()
    expect(rowsOf('Physical disks')).toEqual(['disk:d2', 'disk:d3'])
    press('Escape')
    expect(rowsOf('Physical disks')).toHaveLength(3)
    expect(row('pve:n2').getAttribute('aria-selected')).toBe('false')
  })

  test('a second click gives it up; when the page is left it is forgotten', async () => {
    await given(estate)
    fireEvent.click(row('pve:n2'))
    fireEvent.click(row('pve:n2'))
    expect(pools()).toHaveLength(6)
    fireEvent.click(row('pve:n2'))
    cleanup()
    await given(estate)
    expect(pools()).toHaveLength(6)
  })
})

describe('[spec 1 §2] keys', () => {
  test.each([
    ['Search storage', async () => {}],
    ['Search disks', openDisks],
  ])('typing goes to %s', async (name, open) => {
    await given(estate)
    await open()
    press('s')
    expect(document.activeElement).toBe(search(name))
  })

  test('Escape resets what was searched, and the order', async () => {
    await given(estate)
    localStorage.setItem('storageSortKey', 'usage')
    await type('tank')
    press('Escape')
    expect(search().value).toBe('')
    expect(localStorage.getItem('storageSortKey')).toBeNull()
  })
})
