import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import type { Connection } from '../../live/connection.ts'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { BackupsPage } from './page.tsx'

type Given = Parameters<typeof aLive>[0] & {}

export const NOW = new Date(2026, 0, 15, 12).getTime()
export const HOUR = 3_600_000
export const ago = (hours: number) => new Date(NOW - hours * HOUR).toISOString()

const withBackups = { loadedSlices: ['backups'] as const }

/** `moment`: the page shows the past */
export async function given(records: Given, connection: Partial<Connection> = withBackups, moment?: number) {
  const live = aLive(records, connection)
  const asked: string[] = []
  const subscribeSlice = (slice: string) => {
    asked.push(`+${slice}`)
    return () => void asked.push(`-${slice}`)
  }
  const view = await renderInApp(<BackupsPage />, {
    live: Object.assign(live, { subscribeSlice }),
    ...(moment !== undefined && { moment }),
  })
  return { ...view, live, asked }
}

export const table = () => screen.getByRole('treegrid', { name: 'Backups' })
export const rows = () =>
  [...table().querySelectorAll<HTMLElement>('[data-row^="backup:"]')].map((one) =>
    one.dataset['row']!.slice(7),
  )
export const row = (id: string) => table().querySelector<HTMLElement>(`[data-row="backup:${id}"]`)!
export const cells = (id: string) =>
  within(row(id))
    .getAllByRole('gridcell')
    .map((one) => one.textContent)
export const choose = (name: string, group: string) =>
  fireEvent.click(within(screen.getByRole('radiogroup', { name: group })).getByRole('radio', { name }))
export const chosen = (group: string) =>
  within(screen.getByRole('radiogroup', { name: group })).getByRole('radio', { checked: true }).textContent
export const search = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Search backups' })
export const type = (value: string) => act(async () => void fireEvent.change(search(), { target: { value } }))
export const bars = () => within(screen.getByRole('group', { name: 'Backups by day' })).getAllByRole('button')

/** Freezes the time and clears browser storage for each test. */
export function atOneMoment(): void {
  beforeEach(() => {
    localStorage.clear()
    vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    vi.stubGlobal('scrollTo', () => {})
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
}
