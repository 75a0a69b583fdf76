import { getHistoryChanges, type HistoryChange } from '@pulse/contract'
import { screen, within } from '@testing-library/react'
import { vi } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { aRouter } from '../../ui/router/fake-history.ts'
import { ChangesPage } from './page.tsx'

export const day = 86_400_000
export const now = new Date(2026, 5, 10, 12).getTime()
export const aChange = (change: Partial<HistoryChange> = {}): HistoryChange => ({
  at: now - 60_000,
  kind: 'guests',
  id: 'main:100',
  name: 'web',
  where: 'pve1',
  vmid: 100,
  what: 'restarted',
  ...change,
})
export const old = aChange({
  at: now - day,
  name: 'db',
  id: 'main:101',
  vmid: 101,
  what: 'moved',
  from: 'pve1',
  to: 'pve2',
})

export interface Asked {
  from: number
  to: number
  kind?: string
  what?: string
  cursor?: string
}

/** The page at `now`, with this answer of the server. */
export async function show(
  answer: unknown = { changes: [aChange(), old] },
  address = '/proxmox/changes',
  moment?: number,
  records: Parameters<typeof aLive>[0] = {},
) {
  vi.setSystemTime(now)
  const asked: Asked[] = []
  const reply = ({ query }: { query: Asked }) => {
    asked.push(query)
    return typeof answer === 'function' ? (answer(query) as unknown) : answer
  }
  const view = await renderInApp(<ChangesPage />, {
    replies: { [getHistoryChanges.path]: reply },
    router: aRouter(address),
    live: aLive(records),
    ...(moment !== undefined && { moment }),
  })
  return { ...view, asked }
}

export const lines = () => within(screen.getByRole('region', { name: 'Changes' })).queryAllByRole('listitem')
