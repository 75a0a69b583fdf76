// @vitest-environment happy-dom
import { aNode, anAlert, aPbsServer } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../fake-app.tsx'
import { placeKey } from '../nodes.ts'
import type { SummaryTab } from './columns.tsx'
import { NodeSummary } from './node-summary.tsx'
import type { Counts, SummaryRowKey } from './rows.ts'

const sensors = { available: true, hasCPU: true, hasNVMe: false }
const onSelect = vi.fn<(key: SummaryRowKey | undefined) => void>()

function estate() {
  return aLive({
    nodes: {
      n1: aNode({
        node: 'pve1',
        cpu: 0.5,
        temperature: { ...sensors, cpuPackage: 75, cpuMin: 40, cpuMaxRecord: 88 },
      }),
      n2: aNode({ node: 'pve2', status: 'offline', staleSince: Date.now() - 121_000 }),
      n3: aNode({
        node: 'pve3',
        displayName: 'Lab',
        isClusterMember: false,
        cpu: 0.95,
        staleSince: Date.now() - 61_000,
      }),
    },
    pbs: { p1: aPbsServer() },
    activeAlerts: {
      a: anAlert({ resourceId: 'main-pve1', level: 'critical' }),
      b: anAlert({ resourceId: 'main-pve2' }),
      c: anAlert({ resourceId: 'main-pve3', acknowledged: true }),
    },
  })
}

const counts = new Map<string, Counts>([
  [placeKey({ instance: 'main', node: 'pve1' }), { vms: 4, containers: 1200 }],
])

async function given(tab: SummaryTab = 'overview', live = estate()) {
  function Holder() {
    const [selected, setSelected] = useState<SummaryRowKey>()
    return (
      <NodeSummary
        tab={tab}
        counts={counts}
        selected={selected}
        onSelect={(key) => {
          onSelect(key)
          setSelected(key)
        }}
      />
    )
  }
  await renderInApp(<Holder />, { live })
  return live
}

const rowOf = (key: SummaryRowKey) => document.querySelector<HTMLElement>(`[data-row="${key}"]`)!
const keys = () => [...document.querySelectorAll<HTMLElement>('[data-row]')].map((row) => row.dataset['row'])
const isDimmed = (key: SummaryRowKey) => rowOf(key).querySelector('[data-dimmed="true"]') !== null
const cells = (key: SummaryRowKey) =>
  within(rowOf(key))
    .getAllByRole('gridcell')
    .map((cell) => cell.textContent)
const head = (name: string) => within(screen.getByRole('columnheader', { name })).getByRole('button')

beforeEach(() => {
  localStorage.clear()
  counts.set(placeKey({ instance: 'main', node: 'pve1' }), { vms: 4, containers: 1200 })
  vi.clearAllMocks()
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('a line', () => {
  test('[spec 1 §2] shows uptime, usage, temperature and counts', async () => {
    await given()
    const [name, uptime, cpu, memory, disk, temp, vms, containers] = cells('pve:n1')
    expect(name).toContain('pve1')
    expect(uptime).toMatch(/^\d+d \d+h$/)
    expect([cpu, memory, disk]).toEqual(['50.0%', '37.5%', '20.0%'])
    expect([temp, vms, containers]).toEqual(['75°C', '4', (1200).toLocaleString()])
  })

  test('[R7] a figure that is older than those beside it carries a clock, loses its colour and tells its time', async () => {
    const staleSince = new Date(2026, 0, 1, 15, 4, 5).getTime()
    const memory = { total: 100, used: 95, free: 5, usage: 95, staleSince }
    await given('overview', aLive({ nodes: { n1: aNode({ memory }) } }))
    const [, , cpu, old, disk] = within(rowOf('pve:n1')).getAllByRole('gridcell')
    expect(within(old!).getByLabelText('Not fresh')).toBeDefined()
    expect(old!.dataset['tip']).toMatch(/^95 B of 100 B, as of 3:04:05\sPM$/)
    expect(old!.querySelector('.text-red')).toBeNull()
    for (const fresh of [cpu!, disk!]) expect(within(fresh).queryByLabelText('Not fresh')).toBeNull()
    expect(isDimmed('pve:n1')).toBe(false)
  })

  test('what the account may not see is a dash that says which right is missing', async () => {
    const withheld = 'Sys.Audit is missing on /nodes/pve1: its processor stays unknown'
    const { cpu: _, memory: __, startedAt: ___, ...unseen } = aNode({ withheld })
    await given('overview', aLive({ nodes: { n1: unseen } }))
    const [name, , cpu, memory] = within(rowOf('pve:n1')).getAllByRole('gridcell')
    expect(name!.textContent).toContain(`Partial: ${withheld}`)
    expect([cpu!.textContent, memory!.textContent]).toEqual(['—', '—'])
    expect([cpu!.dataset['tip'], memory!.dataset['tip']]).toEqual([withheld, withheld])
    expect(isDimmed('pve:n1')).toBe(false)
  })

  test('[spec 1 §2] has badges for kind, cluster or Standalone, and version', async () => {
    await given()
    const name = (key: SummaryRowKey) => within(rowOf(key)).getAllByRole('gridcell')[0]!
    for (const text of ['PVE', 'main', 'v9.0.3']) expect(within(name('pve:n1')).getByText(text)).toBeDefined()
    expect(within(name('pve:n3')).getByText('Standalone')).toBeDefined()
    expect(within(name('pve:n3')).getByText('(pve3)')).toBeDefined()
    for (const text of ['PBS', 'v4.0.14']) expect(within(name('pbs:p1')).getByText(text)).toBeDefined()
  })

  test('[spec 1 §2] the name leads to the host', async () => {
    await given()
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'pve1, open web interface' })
    expect(link.getAttribute('href')).toBe('https://pve1.example:8006')
    expect(link.rel).toContain('noopener')
    link.addEventListener('click', (event) => event.preventDefault())
    fireEvent.click(link)
    expect(onSelect).not.toHaveBeenCalled()
  })

  test('[spec 1 §2] an unacknowledged alert gives a stripe, red or yellow, and says so', async () => {
    await given()
    const stripe = (key: SummaryRowKey) => rowOf(key).querySelector<HTMLElement>('[data-alert]')
    expect(stripe('pve:n1')!.className).toContain('red')
    expect(stripe('pve:n2')!.className).toContain('yellow')
    expect(stripe('pve:n3')).toBeNull()
    expect(within(rowOf('pve:n1')).getByRole('img', { name: 'Critical alert' })).toBeDefined()
    expect(within(rowOf('pve:n2')).getByRole('img', { name: 'Warning alert' })).toBeDefined()
  })

  test('[spec 1 §4] offline is dimmed and has no figures: its bars give way to the word, and since when', async () => {
    await given()
    expect(isDimmed('pve:n2')).toBe(true)
    const [, uptime, offline, temp, ...counts] = cells('pve:n2')
    expect([uptime, offline, temp]).toEqual(['—', 'Offline · 2 min', '—'])
    expect(counts).toEqual(['—', '—'])
    expect(rowOf('pve:n2').querySelector('.lost-edge')).not.toBeNull()
  })

  test('of a silent source it keeps its last figures, with a red edge', async () => {
    const staleSince = Date.now() - 121_000
    const silent = aNode({ connectionHealth: 'error', staleSince })
    await given('overview', aLive({ nodes: { n1: silent } }))
    expect(cells('pve:n1').slice(2, 5)).toEqual(['12.5%', '37.5%', '20.0%'])
    expect(within(rowOf('pve:n1')).getByText('Stale 2m')).toBeDefined()
    expect(rowOf('pve:n1').querySelector('.lost-edge')).not.toBeNull()
    expect(screen.queryByText(/Offline/)).toBeNull()
  })

  test('stale is dimmed, says how old its figures are, and is not called online', async () => {
    await given()
    expect(isDimmed('pve:n3')).toBe(true)
    expect(within(rowOf('pve:n3')).getByText('Stale 1m')).toBeDefined()
    expect(within(rowOf('pve:n3')).getByText('Not answering')).toBeDefined()
    expect(within(rowOf('pve:n3')).queryByText('Online')).toBeNull()
  })

  test('[spec 1 §9] a node of 70 °C or more is yellow', async () => {
    await given()
    expect(within(rowOf('pve:n1')).getByText('75°C').className).toContain('yellow')
  })
})

describe('columns', () => {
  test('[spec 1 §2] Temp goes when no node reports one', async () => {
    const live = await given()
    expect(screen.getByRole('columnheader', { name: 'Temp' })).toBeDefined()
    act(() => live.put({ nodes: { n1: aNode() } }))
    expect(screen.queryByRole('columnheader', { name: 'Temp' })).toBeNull()
  })

  test('[spec 1 §2] three clicks: sorted, flipped, default order', async () => {
    await given()
    const normal = keys()
    fireEvent.click(head('CPU'))
    expect(keys().slice(0, 2)).toEqual(['pve:n3', 'pve:n1'])
    expect(screen.getByRole('columnheader', { name: 'CPU' }).getAttribute('aria-sort')).toBe('descending')
    fireEvent.click(head('CPU'))
    expect(screen.getByRole('columnheader', { name: 'CPU' }).getAttribute('aria-sort')).toBe('ascending')
    fireEvent.click(head('CPU'))
    expect(keys()).toEqual(normal)
    expect(screen.getByRole('columnheader', { name: 'CPU' }).getAttribute('aria-sort')).toBe('none')
  })

  test('[spec 1 §2] the name head is a button: Enter sorts', async () => {
    await given()
    const name = head('Node')
    expect(name.tagName).toBe('BUTTON')
    fireEvent.click(name)
    expect(screen.getByRole('columnheader', { name: 'Node' }).getAttribute('aria-sort')).toBe('ascending')
  })
})

describe('a long table', () => {
  const many = () =>
    aLive({
      nodes: Object.fromEntries(
        Array.from({ length: 25 }, (_, n) => [`m${n}`, aNode({ node: `m${n}`, cpu: n === 20 ? 0.95 : 0.1 })]),
      ),
    })
  const fold = () => screen.getByRole('button', { name: '19 more, all healthy' })

  test('folds what is well; a click opens it, and the browser remembers', async () => {
    await given('overview', many())
    expect(keys()).toHaveLength(7)
    expect(keys()[0]).toBe('pve:m20')
    expect(fold().getAttribute('aria-expanded')).toBe('false')
    fireEvent.click(fold())
    expect(fold().getAttribute('aria-expanded')).toBe('true')
    expect(keys()).toHaveLength(26)
    expect(onSelect).not.toHaveBeenCalled()
    cleanup()
    await given('overview', many())
    expect(keys()).toHaveLength(26)
  })

  test('Enter on its line opens it too', async () => {
    await given('overview', many())
    fireEvent.keyDown(rowOf('fold:' as SummaryRowKey), { key: 'Enter' })
    expect(keys()).toHaveLength(26)
  })
})

test('a lost cluster is one loud line of a long table; a click or Enter opens it', async () => {
  const staleSince = Date.now() - 121_000
  const nodes = Array.from({ length: 25 }, (_, n) => {
    const node = `m${n}`
    return [node, aNode({ node, connectionHealth: 'error', staleSince })]
  })
  await given('overview', aLive({ nodes: Object.fromEntries(nodes) }))
  const line = 'fold:silent main' as SummaryRowKey
  expect(keys()).toEqual([line])
  expect(rowOf(line).textContent).toMatch(/^25 nodes unreachablemainStale 2mm0, m1, /)
  expect(rowOf(line).querySelector('.lost-edge')).not.toBeNull()
  fireEvent.click(screen.getByRole('button', { name: '25 nodes unreachable' }))
  expect(keys()).toHaveLength(26)
  fireEvent.keyDown(rowOf(line), { key: 'Enter' })
  expect(keys()).toEqual([line])
  expect(onSelect).not.toHaveBeenCalled()
})

describe('selection', () => {
  const click = (key: SummaryRowKey) => fireEvent.click(within(rowOf(key)).getAllByRole('gridcell')[2]!)

  test('[spec 1 §2] a click selects and dims the others, another deselects', async () => {
    await given()
    click('pve:n1')
    expect(onSelect).toHaveBeenLastCalledWith('pve:n1')
    expect(rowOf('pve:n1').getAttribute('aria-selected')).toBe('true')
    expect([isDimmed('pve:n1'), isDimmed('pbs:p1')]).toEqual([false, true])
    click('pve:n1')
    expect(onSelect).toHaveBeenLastCalledWith(undefined)
    expect(isDimmed('pbs:p1')).toBe(false)
  })

  test('[spec 1 §2] on Overview only PVE can be selected, on Backups PBS too', async () => {
    await given('overview')
    click('pbs:p1')
    expect(onSelect).not.toHaveBeenCalled()
    expect(rowOf('pbs:p1').hasAttribute('aria-selected')).toBe(false)
    cleanup()
    await given('backups')
    click('pbs:p1')
    expect(onSelect).toHaveBeenLastCalledWith('pbs:p1')
  })

  test('a node that is gone dims nobody', async () => {
    const live = await given()
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
    counts.set(placeKey({ instance: 'main', node: 'pve1' }), counted)
    await given(tab)
    for (const text of shown) expect(rowOf('pve:n1').textContent).toContain(text)
    expect(rowOf('pve:n2').textContent).not.toContain(shown[0])
  })

  test('[spec 1 §9] a temperature has its colour, and none while it is old', async () => {
    const live = await given()
    expect(within(rowOf('pve:n1')).getByText('75°C').className).toContain('yellow')
    const hot = { ...sensors, cpuPackage: 80 }
    act(() => live.put({ nodes: { n1: aNode({ node: 'pve1', temperature: hot }) } }))
    expect(within(rowOf('pve:n1')).getByText('80°C').className).toContain('red')
    const staleSince = Date.now() - 61_000
    act(() => live.put({ nodes: { n1: aNode({ node: 'pve1', temperature: hot, staleSince }) } }))
    expect(within(rowOf('pve:n1')).getByText('80°C').className).not.toContain('red')
  })

  test('the order can be chosen, flipped and given up', async () => {
    await given()
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

test('[spec 1 §2] Storage lists no backup servers', async () => {
  await given('storage')
  expect(keys()).not.toContain('pbs:p1')
  expect(screen.getByRole('columnheader', { name: 'Disks' })).toBeDefined()
})
