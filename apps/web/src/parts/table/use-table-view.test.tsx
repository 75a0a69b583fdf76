// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aRouter } from '../../ui/router/fake-history.ts'
import { RouterContext } from '../../ui/router/use-router.ts'
import { createExpansion, useOpenInAddress } from '../list/expansion.ts'
import { defineTableView, type TableView, useTableView } from './use-table-view.ts'

const spec = defineTableView({
  sortKey: 'backupsSortKey',
  sortDirection: 'backupsSortDirection',
  filters: { type: 'dashboardViewMode' },
  layout: { grouping: 'dashboardGroupingMode' },
})

/** A browser window at an address. */
async function aWindow(path = '/guests') {
  const router = aRouter(path)
  let view: TableView<typeof spec>
  function Shown() {
    view = useTableView(spec)
    return <p>{view.chosen.type}</p>
  }
  await act(async () =>
    render(
      <RouterContext value={router}>
        <Shown />
      </RouterContext>,
    ),
  )
  return {
    view: () => view,
    change: (to: (now: TableView<typeof spec>) => void) => act(async () => to(view)),
    search: () => router.view().location.search,
  }
}

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('a choice is stored in the address and preselects a new page', async () => {
  const one = await aWindow()
  await one.change((now) => now.choose('type', 'lxc'))
  await one.change((now) => now.setSort({ key: 'size', direction: 'asc' }))
  await one.change((now) => now.setSearch('web & db'))
  await act(() => vi.advanceTimersByTimeAsync(300))
  const shared = one.search()
  localStorage.clear()
  cleanup()
  const other = await aWindow(`/guests${shared}`)
  const { chosen, sort, search } = other.view()
  expect([chosen.type, sort, search]).toEqual(['lxc', { key: 'size', direction: 'asc' }, 'web & db'])
})

test('a link overrides the preferences without changing them', async () => {
  localStorage.setItem('dashboardViewMode', 'vm')
  const { view } = await aWindow('/guests?type=all')
  expect([view().chosen.type, localStorage.getItem('dashboardViewMode')]).toEqual(['all', 'vm'])
})

test('missing parameters come from the preferences', async () => {
  localStorage.setItem('dashboardViewMode', 'vm')
  const { view } = await aWindow('/guests?type=robots&sort=%00&order=up')
  expect([view().chosen.type, view().sort]).toEqual(['vm', { key: 'backupTime', direction: 'desc' }])
})

test('two windows can have different views; a new one starts with the last choice', async () => {
  const one = await aWindow()
  const other = await aWindow()
  await one.change((now) => now.choose('type', 'lxc'))
  await act(async () => void window.dispatchEvent(new Event('storage')))
  await other.change((now) => now.choose('grouping', 'flat'))
  expect([one.view().chosen, other.view().chosen]).toEqual([
    { type: 'lxc', grouping: 'grouped' },
    { type: 'all', grouping: 'flat' },
  ])
  const third = await aWindow()
  expect(third.view().chosen).toEqual({ type: 'lxc', grouping: 'flat' })
})

test('[spec 1 §4] Reset leaves nothing in the address and prefers nothing', async () => {
  localStorage.setItem('dashboardViewMode', 'vm')
  const one = await aWindow('/guests?grouping=flat&search=web&node=n1')
  await one.change((now) => now.reset())
  await act(() => vi.advanceTimersByTimeAsync(300))
  expect([one.search(), one.view().isDefault, localStorage.getItem('dashboardViewMode')]).toEqual([
    '?node=n1',
    true,
    null,
  ])
})

test('typing changes the address once, when it pauses', async () => {
  const one = await aWindow()
  for (const text of ['w', 'we', 'web']) await one.change((now) => now.setSearch(text))
  expect([one.view().search, one.search()]).toEqual(['web', ''])
  await act(() => vi.advanceTimersByTimeAsync(300))
  expect([one.view().search, one.search()]).toEqual(['web', '?search=web'])
})

test('the address contains up to 20 open records and opens them', async () => {
  const expansion = createExpansion()
  const router = aRouter('/guests?open=c1%3A101&open=c1%3A102')
  function Table() {
    useOpenInAddress(expansion)
    return <p>{[...expansion.use()].join()}</p>
  }
  await act(async () =>
    render(
      <RouterContext value={router}>
        <Table />
      </RouterContext>,
    ),
  )
  expect(screen.getByText('c1:101,c1:102')).toBeDefined()
  act(() => expansion.toggle('c1:101'))
  expect(router.view().location.search).toBe('?open=c1%3A102')
  act(() => {
    for (let vmid = 200; vmid < 230; vmid++) expansion.toggle(`c1:${vmid}`)
  })
  expect(new URLSearchParams(router.view().location.search).getAll('open')).toHaveLength(20)
})
