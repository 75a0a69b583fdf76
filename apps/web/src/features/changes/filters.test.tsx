// @vitest-environment happy-dom
import { getHistoryChanges } from '@pulse/contract'
import { aGuest } from '@pulse/testkit'
import { notifyManager } from '@tanstack/react-query'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { aRouter } from '../../ui/router/fake-history.ts'
import { aChange, now, show } from './fake-changes.tsx'
import { optionsOf } from './filters.ts'
import { ChangesPage } from './page.tsx'

notifyManager.setScheduler(queueMicrotask)
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  localStorage.clear()
})

test('[M 3.5] a filter counts what it would show beside the other', () => {
  const counts = [
    { kind: 'guests', what: 'moved', count: 2 },
    { kind: 'guests', what: 'started', count: 3 },
    { kind: 'nodes', what: 'started', count: 1 },
  ] as const
  expect(optionsOf({ counts }, 'kind', 'started', 'storage')).toEqual([
    { value: 'all', label: 'All kinds (4)' },
    { value: 'guests', label: 'Guest (3)' },
    { value: 'nodes', label: 'Node (1)' },
    { value: 'storage', label: 'Storage (0)' },
  ])
})

test('[M 3.5] where the server counted only the newest changes, no figure claims to be the whole', async () => {
  const counts = [
    { kind: 'guests', what: 'moved', count: 14_000 },
    { kind: 'nodes', what: 'started', count: 6_000 },
  ] as const
  const labels = (other: string) =>
    optionsOf({ counts, isPartial: true }, 'kind', other, 'storage').map(({ label }) => label)
  expect(labels('all')).toEqual(['All kinds (20,000+)', 'Guest', 'Node', 'Storage'])
  expect(labels('moved')).toEqual(['All kinds', 'Guest', 'Storage'])
  await show({ changes: [aChange()], counts, isCountPartial: true })
  expect(screen.getByRole('combobox', { name: 'Change' }).textContent).toContain('All changes (20,000+)')
})

test('[M 3.5] what no answer counts has no figure: backups, and the changes of one thing', async () => {
  const counts = [{ kind: 'guests', what: 'moved', count: 2 }] as const
  const labels = (...asked: Parameters<typeof optionsOf>) => optionsOf(...asked).map(({ label }) => label)
  expect(labels({ counts }, 'what', 'guests', 'backupEnded')).toEqual([
    'All changes (2)',
    'Backup ended',
    'Moved (2)',
  ])
  expect(labels({ counts }, 'kind', 'backupEnded', 'guests')).toEqual(['All kinds', 'Guest (0)'])
  expect(labels({ counts: undefined }, 'kind', 'all', 'guests')).toEqual(['All kinds', 'Guest'])
  expect(labels({ counts: undefined }, 'what', 'guests', 'all')).toContain('Backup started')
})

test('[M 3.5] the changes of one thing are found by the server, until the filter is cleared or another kind chosen', async () => {
  const { asked } = await show({ changes: [aChange()] }, '/proxmox/changes?kind=guests&id=main%3A100')
  expect(asked[0]).toMatchObject({ kind: 'guests', id: 'main:100' })
  expect(screen.getByText('Only Guest web')).toBeDefined()
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Clear filter' })))
  expect(asked.at(-1)).toMatchObject({ kind: 'guests' })
  expect(asked.at(-1)).not.toHaveProperty('id')
  expect(screen.queryByText(/^Only /)).toBeNull()
  cleanup()
  const other = await show({ changes: [aChange()] }, '/proxmox/changes?id=main%3A100')
  expect(other.asked[0]).not.toHaveProperty('id')
})

test('[M 3.5] without changes, the filter has the name that the thing has now, and its id if it is gone', async () => {
  vi.setSystemTime(now)
  const shown = async (address: string) => {
    await renderInApp(<ChangesPage />, {
      live: aLive({ guests: { 'main:100': aGuest({ name: 'web' }) } }),
      replies: { [getHistoryChanges.path]: { changes: [] } },
      router: aRouter(address),
    })
    const text = screen.getByText(/^Only /).textContent
    cleanup()
    return text
  }
  expect(await shown('/proxmox/changes?kind=guests&id=main%3A100')).toBe('Only Guest web')
  expect(await shown('/proxmox/changes?kind=guests&id=main%3A101')).toBe('Only Guest main:101')
  expect(await shown('/proxmox/changes?kind=constructor&id=main%3A100')).toBe('Only constructor main:100')
})
