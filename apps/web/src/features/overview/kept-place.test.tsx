// @vitest-environment happy-dom
import { aGuest, aNode } from '@pulse/testkit'
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { RestoreFocus } from '../../ui/restore-focus.ts'
import { expandedGuests } from './guest-name.tsx'
import { OverviewPage } from './page.tsx'

const aNamedNode = (name: string, status: 'online' | 'offline' = 'online') =>
  aNode({ id: `main-${name}`, node: name, name, displayName: name, status })
const twelve = Array.from({ length: 12 }, (_, at) => `n${String(at).padStart(2, '0')}`)
const guests = { g1: aGuest({ vmid: 100, node: 'n00' }), g2: aGuest({ vmid: 101, node: 'n00' }) }

async function given() {
  const live = aLive({ nodes: Object.fromEntries(twelve.map((name) => [name, aNamedNode(name)])), guests })
  const page = (
    <>
      <RestoreFocus />
      <OverviewPage />
    </>
  )
  await renderInApp(page, { live, replies: { '/api/guests/metadata': {} } })
  return live
}

const row = (key: string) => document.querySelector<HTMLElement>(`[data-row="${key}"]`)!
const rowsOf = (table: HTMLElement) =>
  [...table.querySelectorAll<HTMLElement>('[data-row]')].map((one) => one.dataset['row']!)
const nodeRows = () => rowsOf(screen.getByRole('grid', { name: 'Nodes' }))

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  act(() => expandedGuests.collapseAll())
  vi.unstubAllGlobals()
})

test('the keyboard stays in the table when the line it is at is folded, by the loss of another or by its own return', async () => {
  const live = await given()
  expect(nodeRows()).toEqual([...twelve.slice(0, 6).map((name) => `pve:${name}`), 'fold:'])
  act(() => row('pve:n05').focus())
  await act(async () => live.put({ nodes: { n11: aNamedNode('n11', 'offline') } }))
  expect(nodeRows().slice(0, 2)).toEqual(['pve:n11', 'pve:n00'])
  expect(nodeRows()).not.toContain('pve:n05')
  const isInTable = () => screen.getByRole('grid', { name: 'Nodes' }).contains(document.activeElement)
  expect(isInTable()).toBe(true)
  act(() => row('pve:n11').focus())
  await act(async () => live.put({ nodes: { n11: aNamedNode('n11') } }))
  expect(nodeRows()).not.toContain('pve:n11')
  expect(isInTable()).toBe(true)
})

test('a snapshot of what was there closes no row and takes the focus from none', async () => {
  const live = await given()
  act(() => expandedGuests.toggle('g1'))
  const focused = row('guest:g2')
  act(() => focused.focus())
  await act(async () =>
    live.store.apply({ guests: { put: new Map(Object.entries(guests)), remove: new Set() } }, [
      'guests',
      'sources',
      'activeAlerts',
    ]),
  )
  expect(document.activeElement).toBe(focused)
  expect(rowsOf(screen.getByRole('treegrid', { name: 'Guests' }))).toContain('details:g1')
})
