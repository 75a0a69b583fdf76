// @vitest-environment happy-dom
import { aNode } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { nodeKey } from '../nodes/nodes.ts'
import {
  counts,
  inFreshBrowsers,
  isDimmed,
  keys,
  onSelect,
  rowOf,
  sensors,
  showSummary,
} from './fake-summary.tsx'
import type { SummaryRowKey } from './rows.ts'

inFreshBrowsers()

describe('a long table', () => {
  const many = () =>
    aLive({
      nodes: Object.fromEntries(
        Array.from({ length: 25 }, (_, n) => [`m${n}`, aNode({ node: `m${n}`, cpu: n === 20 ? 0.95 : 0.1 })]),
      ),
    })
  const fold = () => screen.getByRole('button', { name: '19 more, all healthy' })

  test('folds healthy lines; a click opens them, and the browser stores it', async () => {
    await showSummary('overview', many())
    expect(keys()).toHaveLength(7)
    expect(keys()[0]).toBe('pve:m20')
    expect(fold().getAttribute('aria-expanded')).toBe('false')
    fireEvent.click(fold())
    expect(fold().getAttribute('aria-expanded')).toBe('true')
    expect(keys()).toHaveLength(26)
    expect(onSelect).not.toHaveBeenCalled()
    cleanup()
    await showSummary('overview', many())
    expect(keys()).toHaveLength(26)
  })

  test('Enter on its line opens it too', async () => {
    await showSummary('overview', many())
    fireEvent.keyDown(rowOf('fold:' as SummaryRowKey), { key: 'Enter' })
    expect(keys()).toHaveLength(26)
  })
})

test('a down cluster is one line of a long table; a click or Enter opens it', async () => {
  const staleSince = Date.now() - 121_000
  const nodes = Array.from({ length: 25 }, (_, n) => {
    const node = `m${n}`
    return [node, aNode({ node, connectionHealth: 'error', staleSince })]
  })
  await showSummary('overview', aLive({ nodes: Object.fromEntries(nodes) }))
  const line = 'fold:unreachable main' as SummaryRowKey
  expect(keys()).toEqual([line])
  expect(rowOf(line).textContent).toMatch(/^25 nodes unreachablemainStale 2mm0, m1, /)
  expect(rowOf(line).querySelector('.down-edge')).not.toBeNull()
  fireEvent.click(screen.getByRole('button', { name: '25 nodes unreachable' }))
  expect(keys()).toHaveLength(26)
  fireEvent.keyDown(rowOf(line), { key: 'Enter' })
  expect(keys()).toEqual([line])
  expect(onSelect).not.toHaveBeenCalled()
})

describe('selection', () => {
  const click = (key: SummaryRowKey) => fireEvent.click(within(rowOf(key)).getAllByRole('gridcell')[2]!)

  test('[spec 1 §2] a click selects and dims the others, a second one deselects', async () => {
    await showSummary()
    click('pve:n1')
    expect(onSelect).toHaveBeenLastCalledWith('pve:n1')
    expect(rowOf('pve:n1').getAttribute('aria-selected')).toBe('true')
    expect([isDimmed('pve:n1'), isDimmed('pbs:p1')]).toEqual([false, true])
    click('pve:n1')
    expect(onSelect).toHaveBeenLastCalledWith(undefined)
    expect(isDimmed('pbs:p1')).toBe(false)
  })

  test('[spec 1 §2] on Overview only PVE can be selected, on Backups PBS too', async () => {
    await showSummary('overview')
    click('pbs:p1')
    expect(onSelect).not.toHaveBeenCalled()
    expect(rowOf('pbs:p1').hasAttribute('aria-selected')).toBe(false)
    cleanup()
    await showSummary('backups')
    click('pbs:p1')
    expect(onSelect).toHaveBeenLastCalledWith('pbs:p1')
  })

  test('a removed node dims no line', async () => {
    const live = await showSummary()
    click('pve:n1')
    act(() => live.remove('nodes', 'n1'))
    expect(isDimmed('pbs:p1')).toBe(false)
  })
})

describe('below 640 px', () => {
  beforeEach(() => {
    vi.stubGlobal('matchMedia', () => ({
      matches: true,
      addEventListener: () => {},
      removeEventListener: () => {},
    }))
  })
  const sort = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Sort nodes by' })

  test.each([
    {
      tab: 'overview',
      counted: { vms: 4, containers: 1200 },
      shown: ['4 VMs', `${(1200).toLocaleString()} LXCs`],
    },
    { tab: 'storage', counted: { storage: 1, disks: 2 }, shown: ['1 storage', '2 disks'] },
    { tab: 'backups', counted: { backups: 0 }, shown: ['0 backups'] },
  ] as const)('a row of $tab shows its counts', async ({ tab, counted, shown }) => {
    counts.set(nodeKey({ instance: 'main', node: 'pve1' }), counted)
    await showSummary(tab)
    for (const text of shown) expect(rowOf('pve:n1').textContent).toContain(text)
    expect(rowOf('pve:n2').textContent).not.toContain(shown[0])
  })

  test('[spec 1 §9] a temperature is coloured unless it is stale', async () => {
    const live = await showSummary()
    expect(within(rowOf('pve:n1')).getByText('75°C').className).toContain('yellow')
    const hot = { ...sensors, cpuPackage: 80 }
    act(() => live.put({ nodes: { n1: aNode({ node: 'pve1', temperature: hot }) } }))
    expect(within(rowOf('pve:n1')).getByText('80°C').className).toContain('red')
    const staleSince = Date.now() - 61_000
    act(() => live.put({ nodes: { n1: aNode({ node: 'pve1', temperature: hot, staleSince }) } }))
    expect(within(rowOf('pve:n1')).getByText('80°C').className).not.toContain('red')
  })

  test('the order can be chosen, flipped and reset', async () => {
    await showSummary()
    const normal = keys()
    expect([...sort().options].map(({ text }) => text)).toEqual([
      'Default order',
      'Node',
      'Uptime',
      'CPU',
      'Memory',
      'Disk',
      'Temp',
      'VMs',
      'Containers',
    ])
    fireEvent.change(sort(), { target: { value: 'cpu' } })
    expect(keys().slice(0, 2)).toEqual(['pve:n3', 'pve:n1'])
    fireEvent.click(screen.getByRole('button', { name: 'Descending, change to ascending' }))
    expect(keys().filter((key) => key === 'pve:n3' || key === 'pve:n1')).toEqual(['pve:n1', 'pve:n3'])
    fireEvent.change(sort(), { target: { value: '' } })
    expect(keys()).toEqual(normal)
  })
})
