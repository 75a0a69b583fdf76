// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import {
  choose,
  guestRows,
  inFreshBrowsers,
  press,
  row,
  search,
  showFilters,
  showOverview,
  type,
} from './fake-overview.tsx'

inFreshBrowsers()

describe('the filter bar', () => {
  test('[spec 1 §2] is hidden at first; whether it is shown is remembered', async () => {
    await showOverview()
    expect(search()).toBeNull()
    showFilters()
    expect(search()).not.toBeNull()
    expect(localStorage.getItem('dashboardShowFilters')).toBe('true')
    cleanup()
    await showOverview()
    expect(search()).not.toBeNull()
  })

  test('[spec 1 §2] type, status and layout toggles', async () => {
    await showOverview()
    showFilters()
    choose('List', 'Layout')
    choose('VMs', 'Type')
    expect(guestRows()).toEqual(['guest:g1', 'guest:g3', 'guest:g5'])
    choose('Running', 'Status')
    expect(guestRows()).toEqual(['guest:g1'])
    choose('LXCs', 'Type')
    expect(guestRows()).toEqual(['guest:g2', 'guest:g4'])
    expect(screen.getByText('2 running')).toBeDefined()
    expect(screen.getByText('0 stopped')).toBeDefined()
  })

  test('[spec 1 §4] the active toggle clicked again returns to All or Grouped', async () => {
    await showOverview()
    showFilters()
    for (const [name, group] of [
      ['VMs', 'Type'],
      ['Stopped', 'Status'],
      ['List', 'Layout'],
    ] as const) {
      choose(name, group)
      choose(name, group)
    }
    expect(guestRows()).toHaveLength(8)
  })

  test('[spec 1 §3] unknown stored values read as the defaults', async () => {
    localStorage.setItem('dashboardViewMode', 'nonsense')
    localStorage.setItem('dashboardGroupingMode', '7')
    localStorage.setItem('sortKey', 'constructor')
    await showOverview()
    expect(guestRows()).toHaveLength(8)
  })

  test('[spec 1 §5] the search understands both grammars', async () => {
    await showOverview()
    showFilters()
    choose('List', 'Layout')
    await type('cpu>40, node:pve1')
    expect(guestRows()).toEqual(['guest:g2'])
    await type('name:web OR name:dns')
    expect(guestRows()).toEqual(['guest:g1', 'guest:g4'])
  })

  test('[spec 1 §2] the search has tips', async () => {
    await showOverview()
    showFilters()
    fireEvent.click(screen.getByRole('button', { name: 'Search tips' }))
    expect(within(await screen.findByRole('dialog')).getByText('cpu>80')).toBeDefined()
  })

  test('[spec 1 §4] Reset: search empty, filters All, grouped, number ascending', async () => {
    await showOverview()
    showFilters()
    await type('web')
    choose('VMs', 'Type')
    choose('Running', 'Status')
    choose('List', 'Layout')
    fireEvent.click(screen.getByRole('button', { name: 'Name' }))
    fireEvent.click(screen.getByRole('button', { name: 'Reset' }))
    expect(search()!.value).toBe('')
    expect(guestRows()).toHaveLength(8)
    expect(guestRows()[0]).toBe('node:main/pve1')
    const vmid = screen.getByRole('columnheader', { name: 'VMID' })
    expect(vmid.getAttribute('aria-sort')).toBe('ascending')
  })
})

describe('the keyboard', () => {
  test('[spec 1 §2] typing opens the filters and goes to the search box, so does /', async () => {
    await showOverview()
    press('w')
    expect(document.activeElement).toBe(search())
    act(() => search()!.blur())
    press('/')
    expect(document.activeElement).toBe(search())
  })

  test('ArrowDown leads from the search to the rows it found', async () => {
    await showOverview()
    press('d')
    await type('dns')
    press('ArrowDown', search()!)
    expect(document.activeElement).toBe(row('node:main\0pve2'))
    press('ArrowDown', document.activeElement!)
    expect(document.activeElement).toBe(row('guest:g4'))
  })

  test('ArrowDown leads there again, to the row that the keyboard was at', async () => {
    await showOverview()
    press('d')
    await type('dns')
    press('ArrowDown', search()!)
    act(() => search()!.focus())
    press('ArrowDown', search()!)
    expect(document.activeElement).toBe(row('node:main\0pve2'))
  })

  test('? shows the keys, Escape puts them away and resets nothing', async () => {
    await showOverview()
    showFilters()
    await type('web')
    act(() => search()!.blur())
    press('?')
    const help = await screen.findByRole('dialog', { name: 'Keys' })
    expect(within(help).getByText('Move from the search to the rows')).toBeDefined()
    press('Escape', help)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(search()!.value).toBe('web')
  })

  test('[spec 1 §2] Escape resets what can be reset, and else toggles the filters', async () => {
    await showOverview()
    press('w')
    await type('web')
    expect(guestRows()).toEqual(['node:main/pve1', 'guest:g1'])
    press('Escape', search()!)
    expect(guestRows()).toHaveLength(8)
    expect(search()!.value).toBe('')
    press('Escape')
    expect(search()).toBeNull()
    press('Escape')
    expect(search()).not.toBeNull()
  })
})

describe('selecting a node', () => {
  const select = (key: string) => fireEvent.click(within(row(key)).getAllByRole('gridcell')[1]!)

  test('[spec 1 §2] filters the guests and opens the filters; again deselects', async () => {
    await showOverview()
    select('pve:n2')
    expect(guestRows()).toEqual(['node:main/pve2', 'guest:g4'])
    expect(search()).not.toBeNull()
    select('pve:n2')
    expect(guestRows()).toHaveLength(8)
  })

  test('[spec 1 §2] Escape clears it', async () => {
    await showOverview()
    select('pve:n2')
    press('Escape')
    expect(guestRows()).toHaveLength(8)
    expect(row('pve:n2').getAttribute('aria-selected')).toBe('false')
  })

  test('[spec 1 §2] leaving the page forgets it', async () => {
    await showOverview()
    select('pve:n2')
    cleanup()
    await showOverview()
    expect(guestRows()).toHaveLength(8)
  })

  test('when the node goes, its filter goes', async () => {
    const live = await showOverview()
    select('pve:n2')
    act(() => live.remove('nodes', 'n2'))
    expect(guestRows().length).toBeGreaterThan(2)
    expect(screen.getByRole('button', { name: /^Filters/ }).textContent).toBe('Filters')
    press('Escape')
    expect(search(), 'there was nothing left to reset').toBeNull()
  })
})
