// @vitest-environment happy-dom
import { aGuest, anAlert, aNode } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { OverviewPage } from './page.tsx'

const given = () =>
  renderInApp(<OverviewPage />, {
    live: aLive({
      nodes: {
        n1: aNode(),
        n2: aNode({ node: 'pve2' }),
        n3: aNode({ node: 'pve3', status: 'offline' }),
      },
      guests: {
        g1: aGuest({ vmid: 100, name: 'web' }),
        g2: aGuest({ vmid: 101, name: 'db', cpu: 0.9 }),
        g3: aGuest({ vmid: 102, name: 'mail', status: 'stopped' }),
        g4: aGuest({ vmid: 103, name: 'dns', node: 'pve2' }),
        g5: aGuest({ vmid: 104, name: 'old', node: 'pve3' }),
      },
    }),
    replies: { '/api/guests/metadata': {} },
  })

const press = (key: string) => act(() => void fireEvent.keyDown(document.body, { key }))
const search = () => screen.queryByRole<HTMLInputElement>('textbox', { name: 'Search guests' })
const type = (value: string) => act(async () => void fireEvent.change(search()!, { target: { value } }))
const choose = (name: string, group: string) =>
  fireEvent.click(within(screen.getByRole('radiogroup', { name: group })).getByRole('radio', { name }))
const showFilters = () => fireEvent.click(screen.getByRole('button', { name: /^Filters/ }))
const rowsOf = (table: HTMLElement) =>
  [...table.querySelectorAll<HTMLElement>('[data-row]')].map((row) => row.dataset['row']!.replace('\0', '/'))
const guestRows = () => rowsOf(screen.getByRole('treegrid', { name: 'Guests' }))

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('the summary line', () => {
  const figure = (name: string) =>
    within(screen.getByRole('group', { name: 'Summary' })).getByRole('button', {
      name: new RegExp(`^${name} `),
    })
  const isPressed = (name: string) => figure(name).getAttribute('aria-pressed') === 'true'
  const nodeRows = () => rowsOf(screen.getByRole('grid', { name: 'Nodes' }))

  test('Unreachable leaves what cannot be reached, in both tables; Escape lets the rest back in', async () => {
    await given()
    fireEvent.click(figure('Unreachable'))
    expect(isPressed('Unreachable')).toBe(true)
    expect(nodeRows()).toEqual(['pve:n3'])
    expect(guestRows()).toEqual(['node:main/pve3', 'guest:g5'])
    press('Escape')
    expect(isPressed('Unreachable')).toBe(false)
    expect(nodeRows()).toHaveLength(3)
    expect(guestRows()).toHaveLength(8)
  })

  test('Need attention leaves what does, and another press undoes it', async () => {
    await given()
    fireEvent.click(figure('Need attention'))
    expect(nodeRows()).toEqual(['pve:n3'])
    expect(guestRows()).toEqual(['node:main/pve1', 'guest:g2'])
    fireEvent.click(figure('Need attention'))
    expect(guestRows()).toHaveLength(8)
  })

  test('a figure that counts nothing leaves no heads without rows, but a word and the way back', async () => {
    const { live } = await given()
    act(() => live.put({ nodes: { n3: aNode({ node: 'pve3' }) } }))
    fireEvent.click(figure('Unreachable'))
    expect(screen.queryByRole('grid', { name: 'Nodes' })).toBeNull()
    expect(screen.getByText('All nodes are reachable.')).toBeDefined()
    expect(screen.getByText('No guests match your current filters')).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Show everything' }))
    expect(isPressed('Unreachable')).toBe(false)
    expect(nodeRows()).toHaveLength(3)
  })

  test('who needs attention because of an alert is there with it, before any figure moves', async () => {
    const { live } = await given()
    fireEvent.click(figure('Need attention'))
    const resourceId = live.store.get('guests', 'g1')!.id
    act(() => live.put({ activeAlerts: { a1: anAlert({ resourceId }) } }))
    expect(guestRows()).toEqual(['node:main/pve1', 'guest:g1', 'guest:g2'])
    act(() => live.remove('activeAlerts', 'a1'))
    expect(guestRows()).toEqual(['node:main/pve1', 'guest:g2'])
  })

  test('[spec 1 §2] Running and Stopped are the status toggle', async () => {
    await given()
    showFilters()
    fireEvent.click(figure('Running'))
    const chosen = () =>
      within(screen.getByRole('radiogroup', { name: 'Status' })).getByRole('radio', { checked: true })
        .textContent
    expect(chosen()).toBe('Running')
    fireEvent.click(figure('Unreachable'))
    expect(chosen()).toBe('All')
    choose('Stopped', 'Status')
    expect([isPressed('Stopped'), isPressed('Unreachable')]).toEqual([true, false])
    fireEvent.click(figure('Stopped'))
    expect(chosen()).toBe('All')
  })

  test('Nodes leaves the nodes alone; who types gets the guests back, with the search', async () => {
    await given()
    fireEvent.click(figure('Nodes'))
    expect(screen.queryByRole('treegrid', { name: 'Guests' })).toBeNull()
    press('w')
    expect(document.activeElement).toBe(search())
    expect(screen.getByRole('treegrid', { name: 'Guests' })).toBeDefined()
  })

  test('it goes with the search and the selected node', async () => {
    await given()
    fireEvent.click(figure('Stopped'))
    press('m')
    await type('mail')
    expect(guestRows()).toEqual(['node:main/pve1', 'guest:g3'])
    expect(isPressed('Stopped')).toBe(true)
  })
})

test('rows are 32 px high, or 28 in the compact density, and the browser remembers', async () => {
  await given()
  const heights = () =>
    new Set(
      [...document.querySelectorAll<HTMLElement>('[role=row][data-row]')].map(({ style }) => style.height),
    )
  expect(heights()).toEqual(new Set(['32px']))
  const toggle = screen.getByRole('button', { name: 'Dense rows' })
  fireEvent.click(toggle)
  expect(toggle.getAttribute('aria-pressed')).toBe('true')
  expect(heights()).toEqual(new Set(['28px']))
  expect(localStorage.getItem('rowDensity')).toBe('dense')
})

test('a group carries the figures of its node and counts its guests; a list names the node of each', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  await given()
  const row = (key: string) => document.querySelector<HTMLElement>(`[data-row="${key}"]`)!
  const group = row(`node:main\0pve1`)
  for (const text of ['12.5%', '37.5%', '20.0%', '2 of 3 running']) expect(group.textContent).toContain(text)
  expect(row(`node:main\0pve3`).textContent).toMatch(/Offline.*1 unreachable/)
  expect(row('guest:g4').textContent).not.toContain('pve2')
  showFilters()
  choose('List', 'Layout')
  expect(row('guest:g4').textContent).toContain('pve2')
})
