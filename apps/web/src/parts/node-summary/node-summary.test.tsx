// @vitest-environment happy-dom
import { aDisk, aNode } from '@pulse/testkit'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import {
  cells,
  head,
  inFreshBrowsers,
  isDimmed,
  keys,
  onSelect,
  rowOf,
  showSummary,
} from './fake-summary.tsx'
import type { SummaryRowKey } from './rows.ts'

inFreshBrowsers()

describe('a line', () => {
  test('[spec 1 §2] shows uptime, usage, temperature and counts', async () => {
    await showSummary()
    const [name, uptime, cpu, memory, disk, temp, vms, containers] = cells('pve:n1')
    expect(name).toContain('pve1')
    expect(uptime).toMatch(/^\d+d \d+h$/)
    expect([cpu, memory, disk]).toEqual(['50.0%', '37.5%', '20.0%'])
    expect([temp, vms, containers]).toEqual(['75°C', '4', (1200).toLocaleString()])
  })

  test('[R7] a figure older than the others has a clock, no colour and its time', async () => {
    const staleSince = new Date(2026, 0, 1, 15, 4, 5).getTime()
    const memory = { total: 100, used: 95, free: 5, usage: 95, staleSince }
    await showSummary('overview', aLive({ nodes: { n1: aNode({ memory }) } }))
    const [, , cpu, old, disk] = within(rowOf('pve:n1')).getAllByRole('gridcell')
    expect(within(old!).getByLabelText('Not fresh')).toBeDefined()
    expect(old!.dataset['tip']).toMatch(/^95 B of 100 B, as of 3:04:05\sPM$/)
    expect(old!.querySelector('.text-red')).toBeNull()
    for (const fresh of [cpu!, disk!]) expect(within(fresh).queryByLabelText('Not fresh')).toBeNull()
    expect(isDimmed('pve:n1')).toBe(false)
  })

  test('an unreadable figure is a dash with the missing permission', async () => {
    const withheld = 'Sys.Audit is missing on /nodes/pve1: its processor stays unknown'
    const { cpu: _, memory: __, startedAt: ___, ...unseen } = aNode({ withheld })
    await showSummary('overview', aLive({ nodes: { n1: unseen } }))
    const [name, , cpu, memory] = within(rowOf('pve:n1')).getAllByRole('gridcell')
    expect(name!.textContent).toContain(`Partial: ${withheld}`)
    expect([cpu!.textContent, memory!.textContent]).toEqual(['—', '—'])
    expect([cpu!.dataset['tip'], memory!.dataset['tip']]).toEqual([withheld, withheld])
    expect(isDimmed('pve:n1')).toBe(false)
  })

  test('[design 10] marks a node whose storage or disk needs attention, as the count does', async () => {
    const reason = 'A storage or disk of this node needs attention'
    await showSummary(
      'overview',
      aLive({
        nodes: { n1: aNode({ node: 'pve1' }), n2: aNode({ node: 'pve2' }) },
        physicalDisks: { d: aDisk({ node: 'pve1', health: 'FAILED' }) },
      }),
    )
    expect(within(rowOf('pve:n1')).getByRole('img', { name: reason }).dataset['tip']).toBe(reason)
    expect(within(rowOf('pve:n2')).queryByRole('img', { name: reason })).toBeNull()
  })

  test('[spec 1 §2] has badges for kind, cluster or Standalone, and version', async () => {
    await showSummary()
    const name = (key: SummaryRowKey) => within(rowOf(key)).getAllByRole('gridcell')[0]!
    for (const text of ['PVE', 'main', 'v9.0.3']) expect(within(name('pve:n1')).getByText(text)).toBeDefined()
    expect(within(name('pve:n3')).getByText('Standalone')).toBeDefined()
    expect(within(name('pve:n3')).getByText('(pve3)')).toBeDefined()
    for (const text of ['PBS', 'v4.0.14']) expect(within(name('pbs:p1')).getByText(text)).toBeDefined()
  })

  test('[spec 1 §2] the name leads to the host', async () => {
    await showSummary()
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'pve1, open web interface' })
    expect(link.getAttribute('href')).toBe('https://pve1.example:8006')
    expect(link.rel).toContain('noopener')
    link.addEventListener('click', (event) => event.preventDefault())
    fireEvent.click(link)
    expect(onSelect).not.toHaveBeenCalled()
  })

  test('[spec 1 §2] an unacknowledged alert gives a red or yellow stripe and a label', async () => {
    await showSummary()
    const stripe = (key: SummaryRowKey) => rowOf(key).querySelector<HTMLElement>('[data-alert]')
    expect(stripe('pve:n1')!.className).toContain('red')
    expect(stripe('pve:n2')!.className).toContain('yellow')
    expect(stripe('pve:n3')).toBeNull()
    expect(within(rowOf('pve:n1')).getByRole('img', { name: 'Critical alert' })).toBeDefined()
    expect(within(rowOf('pve:n2')).getByRole('img', { name: 'Warning alert' })).toBeDefined()
  })

  test('[spec 1 §4] offline is dimmed and has no figures: the word and the time since replace its bars', async () => {
    await showSummary()
    expect(isDimmed('pve:n2')).toBe(true)
    const [, uptime, offline, temp, ...counts] = cells('pve:n2')
    expect([uptime, offline, temp]).toEqual(['—', 'Offline · 2 min', '—'])
    expect(counts).toEqual(['—', '—'])
    expect(rowOf('pve:n2').querySelector('.down-edge')).not.toBeNull()
  })

  test('of a unreachable source it keeps its last figures, with a red edge', async () => {
    const staleSince = Date.now() - 121_000
    const unreachable = aNode({ connectionHealth: 'error', staleSince })
    await showSummary('overview', aLive({ nodes: { n1: unreachable } }))
    expect(cells('pve:n1').slice(2, 5)).toEqual(['12.5%', '37.5%', '20.0%'])
    expect(within(rowOf('pve:n1')).getByText('Stale 2m')).toBeDefined()
    expect(rowOf('pve:n1').querySelector('.down-edge')).not.toBeNull()
    expect(screen.queryByText(/Offline/)).toBeNull()
  })

  test('stale is dimmed, shows the age of its figures, and is not called online', async () => {
    await showSummary()
    expect(isDimmed('pve:n3')).toBe(true)
    expect(within(rowOf('pve:n3')).getByText('Stale 1m')).toBeDefined()
    expect(within(rowOf('pve:n3')).getByText('Not answering')).toBeDefined()
    expect(within(rowOf('pve:n3')).queryByText('Online')).toBeNull()
  })

  test('[spec 1 §9] a node of 70 °C or more is yellow', async () => {
    await showSummary()
    expect(within(rowOf('pve:n1')).getByText('75°C').className).toContain('yellow')
  })
})

describe('columns', () => {
  test('[spec 1 §2] Temp is hidden while no node reports one', async () => {
    const live = await showSummary()
    expect(screen.getByRole('columnheader', { name: 'Temp' })).toBeDefined()
    act(() => live.put({ nodes: { n1: aNode() } }))
    expect(screen.queryByRole('columnheader', { name: 'Temp' })).toBeNull()
  })

  test('[spec 1 §2] three clicks: sorted, flipped, default order', async () => {
    await showSummary()
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
    await showSummary()
    const name = head('Node')
    expect(name.tagName).toBe('BUTTON')
    fireEvent.click(name)
    expect(screen.getByRole('columnheader', { name: 'Node' }).getAttribute('aria-sort')).toBe('ascending')
  })
})

test('[spec 1 §2] Storage lists no backup servers', async () => {
  await showSummary('storage')
  expect(keys()).not.toContain('pbs:p1')
  expect(screen.getByRole('columnheader', { name: 'Disks' })).toBeDefined()
})
