import { aGuest, aNode } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import type { Connection } from '../../live/connection.ts'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { expandedGuests } from './guest-name.tsx'
import { OverviewPage } from './page.tsx'

type Records = Parameters<typeof aLive>[0]

/** Three nodes of one connection, one of them standalone and one offline, and five guests. */
export const estate = {
  nodes: {
    n1: aNode(),
    n2: aNode({ node: 'pve2', isClusterMember: false }),
    n3: aNode({ node: 'pve3', status: 'offline' }),
  },
  guests: {
    g1: aGuest({ vmid: 100, name: 'web', cpu: 0.1 }),
    g2: aGuest({ vmid: 101, name: 'db', type: 'lxc', cpu: 0.9 }),
    g3: aGuest({ vmid: 102, name: 'mail', status: 'stopped' }),
    g4: aGuest({ vmid: 103, name: 'dns', node: 'pve2', type: 'lxc', cpu: 0.5, osName: 'Alpine' }),
    g5: aGuest({ vmid: 104, name: 'old', node: 'pve3' }),
  },
}

/** Gives each test in the file an unused browser. */
export function inFreshBrowsers() {
  beforeEach(() => {
    localStorage.clear()
    vi.stubGlobal('scrollTo', () => {})
  })
  afterEach(() => {
    cleanup()
    act(expandedGuests.collapseAll)
    vi.unstubAllGlobals()
  })
}

export async function showOverview(records: Records = estate, connection: Partial<Connection> = {}) {
  const live = Object.assign(aLive(records, connection), { reconnectNow: vi.fn<() => void>() })
  await renderInApp(<OverviewPage />, { live, replies: { '/api/guests/metadata': {} } })
  return live
}

export const press = (key: string, target: Element = document.body) =>
  act(() => void fireEvent.keyDown(target, { key }))
export const search = () => screen.queryByRole<HTMLInputElement>('textbox', { name: 'Search guests' })
export const type = (value: string) =>
  act(async () => void fireEvent.change(search()!, { target: { value } }))
export const choose = (name: string, group: string) =>
  fireEvent.click(within(screen.getByRole('radiogroup', { name: group })).getByRole('radio', { name }))
export const row = (key: string) => document.querySelector<HTMLElement>(`[data-row="${key}"]`)!
export const guestRows = () =>
  [...screen.getByRole('treegrid', { name: 'Guests' }).querySelectorAll<HTMLElement>('[data-row]')].map(
    (one) => one.dataset['row']!.replace('\0', '/'),
  )
export const showFilters = () => fireEvent.click(screen.getByRole('button', { name: /^Filters/ }))
