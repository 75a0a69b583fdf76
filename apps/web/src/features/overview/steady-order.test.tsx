// @vitest-environment happy-dom
import { aGuest, aNode } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { OverviewPage } from './page.tsx'

async function given() {
  const live = aLive({
    nodes: { n1: aNode() },
    guests: {
      g1: aGuest({ vmid: 100, name: 'web', cpu: 0.1 }),
      g2: aGuest({ vmid: 101, name: 'db', cpu: 0.9 }),
      g3: aGuest({ vmid: 102, name: 'mail', status: 'stopped' }),
      g4: aGuest({ vmid: 103, name: 'dns', cpu: 0.5 }),
      g5: aGuest({ vmid: 104, name: 'old', status: 'stopped' }),
    },
  })
  await renderInApp(<OverviewPage />, { live, replies: { '/api/guests/metadata': {} } })
  return live
}

const row = (key: string) => document.querySelector<HTMLElement>(`[data-row="${key}"]`)!
const guestRows = () =>
  [...screen.getByRole('treegrid', { name: 'Guests' }).querySelectorAll<HTMLElement>('[data-row]')].map(
    (one) => one.dataset['row']!,
  )

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('sorted by a figure that moves', () => {
  const sorted = async () => {
    localStorage.setItem('dashboardGroupingMode', 'flat')
    localStorage.setItem('sortKey', 'cpu')
    localStorage.setItem('sortDirection', 'desc')
    return given()
  }
  const grid = () => screen.getByRole('treegrid', { name: 'Guests' })
  const note = () => screen.queryByText('Sorting paused while you use the table') !== null
  const first = () => guestRows()[0]
  const overtake = (live: Awaited<ReturnType<typeof given>>) =>
    act(() => live.put({ guests: { g1: aGuest({ vmid: 100, name: 'web', cpu: 0.99 }) } }))

  test('the order waits while the pointer is in the table, says so, and follows when it leaves', async () => {
    const live = await sorted()
    fireEvent.pointerEnter(grid(), { pointerType: 'mouse' })
    expect([first(), note()]).toEqual(['guest:g2', false])
    overtake(live)
    expect([first(), note()]).toEqual(['guest:g2', true])
    expect(row('guest:g1').textContent).toContain('99.0%')
    fireEvent.pointerLeave(grid())
    expect([first(), note()]).toEqual(['guest:g1', false])
  })

  test('it waits while the keyboard is in the table', async () => {
    const live = await sorted()
    act(() => row('guest:g2').focus())
    overtake(live)
    expect([first(), note()]).toEqual(['guest:g2', true])
    act(() => row('guest:g2').blur())
    expect([first(), note()]).toEqual(['guest:g1', false])
  })

  test('who asks for another order gets it at once', async () => {
    const live = await sorted()
    fireEvent.pointerEnter(grid(), { pointerType: 'mouse' })
    overtake(live)
    fireEvent.click(within(grid()).getByRole('button', { name: 'CPU' }))
    expect(guestRows().slice(0, 3)).toEqual(['guest:g4', 'guest:g2', 'guest:g1'])
  })

  test('while it waits a guest that goes leaves, and one that comes is last', async () => {
    const live = await sorted()
    fireEvent.pointerEnter(grid(), { pointerType: 'mouse' })
    act(() => {
      live.remove('guests', 'g2')
      live.put({ guests: { g9: aGuest({ vmid: 109, cpu: 1 }) } })
    })
    expect(guestRows()).toEqual(['guest:g4', 'guest:g1', 'guest:g3', 'guest:g5', 'guest:g9'])
  })

  test('a table that goes while the pointer is in it holds nothing when it is back', async () => {
    const live = await sorted()
    const ids = ['g1', 'g2', 'g3', 'g4', 'g5']
    fireEvent.pointerEnter(grid(), { pointerType: 'mouse' })
    act(() => live.remove('guests', ...ids))
    expect(screen.queryByRole('treegrid', { name: 'Guests' })).toBeNull()
    act(() =>
      live.put({ guests: { g1: aGuest({ vmid: 100, cpu: 0.1 }), g2: aGuest({ vmid: 101, cpu: 0.9 }) } }),
    )
    expect([guestRows(), note()]).toEqual([['guest:g2', 'guest:g1'], false])
  })

  test('a name does not move: nothing waits', async () => {
    localStorage.setItem('dashboardGroupingMode', 'flat')
    localStorage.setItem('sortKey', 'name')
    const live = await given()
    fireEvent.pointerEnter(grid(), { pointerType: 'mouse' })
    act(() => live.put({ guests: { g1: aGuest({ vmid: 100, name: 'aaa' }) } }))
    expect([first(), note()]).toEqual(['guest:g1', false])
  })
})
