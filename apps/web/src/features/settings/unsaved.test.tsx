// @vitest-environment happy-dom
import { aGuest } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { Server } from 'lucide-react'
import { lazy } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createAppRouter, Pages } from '../../app/router.tsx'
import type { Page } from '../../app/routes.ts'
import { aLive } from '../../live/fake-live.ts'
import { LiveProvider } from '../../live/live.tsx'
import { Answer, renderSettings } from './fake-settings.tsx'
import { toasts } from './nodes/fake-nodes.tsx'
import { SettingsPage } from './page.tsx'
import type { Section } from './section.ts'
import { flip, loadCall, repliesOf, saveCall, someSettings } from './system/fake-system.tsx'
import { within as limit } from '../../../../../scripts/test-limits.ts'
import { createMemoryHistory } from '../../ui/router/fake-history.ts'

const aSection = (id: string, component: Section['component']): Section => ({
  id,
  path: `/settings/${id}`,
  title: id,
  description: '',
  group: 'Proxmox',
  icon: Server,
  component,
})
const plain = lazy(async () => ({ default: () => <p>plain</p> }))
const table = [
  aSection('pve', plain),
  aSection('pbs', plain),
  aSection('pmg', plain),
  aSection('urls', plain),
  aSection(
    'system',
    lazy(() => import('./system/section.tsx')),
  ),
  aSection('security', plain),
]
const pages: Page[] = [
  {
    path: '/proxmox/overview',
    area: 'proxmox',
    label: 'Overview',
    load: async () => () => <p>overview</p>,
  },
  {
    path: '/settings',
    area: 'settings',
    label: 'Settings',
    nested: true,
    load: async () => () => <SettingsPage table={table} />,
  },
]

/** The System section with one unsaved edit. */
async function edited(replies: Record<string, unknown> = {}) {
  const history = createMemoryHistory({ initialEntries: ['/settings/system'] })
  const router = createAppRouter(pages, history)
  const view = await renderSettings(
    <LiveProvider live={aLive({ guests: { g: aGuest() } })}>
      <Pages router={router} />
    </LiveProvider>,
    { replies: repliesOf(someSettings(), { 'GET /api/config/system': { theme: '' }, ...replies }) },
  )
  await screen.findByRole('switch', { name: 'Poll backups' }, { timeout: limit(30_000) })
  await flip('Poll backups')
  const go = (to: string) => act(() => router.go(to))
  const asked = (call: string) => view.calls.filter((one) => one.call === call)
  return { ...view, router, go, asked }
}

const button = (name: string) => screen.queryByRole('button', { name })
const isMarked = () => screen.queryByText('You have unsaved changes') !== null
const isPolling = () =>
  screen.getByRole('switch', { name: 'Poll backups' }).getAttribute('aria-checked') === 'true'
const click = (name: string) =>
  act(async () => void fireEvent.click(screen.getAllByRole('button', { name })[0]!))

beforeEach(() => {
  localStorage.clear()
  toasts()
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('[spec 2 §2] unsaved changes', () => {
  test('bring the header buttons and the banner; without any there are none', async () => {
    await edited()
    expect(isMarked()).toBe(true)
    expect([button('Save changes'), button('Save Changes')]).not.toContain(null)
    expect(screen.getAllByRole('button', { name: 'Discard' })).toHaveLength(2)
    await flip('Poll backups')
    expect([isMarked(), button('Save changes'), button('Discard')]).toEqual([false, null, null])
  })

  test.each([
    { tab: 'pve', shown: true },
    { tab: 'pbs', shown: true },
    { tab: 'pmg', shown: false },
    { tab: 'urls', shown: false },
    { tab: 'security', shown: false },
  ])('are shown on $tab: $shown, and outlive the change of section', async ({ tab, shown }) => {
    const { go } = await edited()
    await go(`/settings/${tab}`)
    await screen.findByText('plain')
    expect([isMarked(), button('Save changes') !== null]).toEqual([shown, shown])
    await go('/settings')
    await go('/settings/system')
    expect([isMarked(), isPolling()]).toEqual([true, false])
  })

  test('leaving the settings asks first', async () => {
    const { router } = await edited()
    const leave = () => void fireEvent.click(screen.getByRole('link', { name: 'Proxmox' }))
    leave()
    await screen.findByRole('dialog', { name: 'Leave without saving?' })
    await click('Cancel')
    expect(router.view().location.path).toBe('/settings/system')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(isMarked()).toBe(true)
    leave()
    await screen.findByRole('dialog', { name: 'Leave without saving?' })
    await click('Discard changes')
    await screen.findByText('overview')
  })

  test('that were discarded while leaving are gone', async () => {
    const { go } = await edited()
    await go('/proxmox/overview')
    await screen.findByRole('dialog', { name: 'Leave without saving?' })
    await click('Discard changes')
    await screen.findByText('overview')
    await go('/settings/system')
    await screen.findByRole('switch', { name: 'Poll backups' })
    await waitFor(() => expect([isMarked(), isPolling()]).toEqual([false, true]))
  })
})

describe('the question before leaving can be answered by saving', () => {
  const leave = () => void fireEvent.click(screen.getByRole('link', { name: 'Proxmox' }))
  const saveHere = async () => {
    const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' })
    await act(async () => void fireEvent.click(within(dialog).getByRole('button', { name: 'Save changes' })))
  }

  test('what was edited is saved, then the page changes', async () => {
    const { asked } = await edited()
    vi.spyOn(window.location, 'reload').mockImplementation(() => {})
    leave()
    await saveHere()
    await screen.findByText('overview')
    expect(asked(saveCall).map(({ body }) => body)).toEqual([{ backupPollingEnabled: false }])
  })

  test('what is refused keeps the page and the edits', async () => {
    const { router } = await edited({ [saveCall]: new Answer(400, { error: 'No.' }) })
    leave()
    await saveHere()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(toasts()).toEqual(['error: No.'])
    expect([router.view().location.path, isMarked()]).toEqual(['/settings/system', true])
  })
})

test('who leaves while a save is on its way is there as soon as it is saved', async () => {
  const answer = Promise.withResolvers()
  const { asked } = await edited({ [saveCall]: answer.promise })
  vi.spyOn(window.location, 'reload').mockImplementation(() => {})
  await click('Save changes')
  fireEvent.click(screen.getByRole('link', { name: 'Proxmox' }))
  await screen.findByRole('dialog', { name: 'Leave without saving?' })
  await act(async () => answer.resolve({}))
  await screen.findByText('overview')
  expect([screen.queryByRole('dialog'), asked(saveCall).length]).toEqual([null, 1])
})

describe('[spec 2 §4] saving', () => {
  test.each(['Save changes', 'Save Changes'])('%s sends what was edited', async (name) => {
    const { asked } = await edited()
    vi.useFakeTimers() // else the page would reload during another test
    await click(name)
    await act(() => vi.advanceTimersByTimeAsync(0))
    expect(asked(saveCall).map(({ body }) => body)).toEqual([{ backupPollingEnabled: false }])
  })

  test('clears the flag, says so, and reloads the page after 3 s', async () => {
    const { replies } = await edited()
    replies[loadCall] = someSettings({ backupPollingEnabled: false })
    vi.useFakeTimers()
    await click('Save changes')
    await act(() => vi.advanceTimersByTimeAsync(0))
    expect(toasts()).toEqual(['success: Settings saved successfully. Reloading...'])
    expect([isMarked(), isPolling()]).toEqual([false, false])
    // only now: a save of an earlier test may reload meanwhile
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
    vi.advanceTimersByTime(2_900)
    expect(reload).not.toHaveBeenCalled()
    vi.advanceTimersByTime(100)
    expect(reload).toHaveBeenCalledTimes(1)
  })

  test.each([
    { reply: new Answer(400, { error: 'Use a time such as 03:00.' }), text: 'Use a time such as 03:00.' },
    { reply: new Answer(500), text: 'Failed to save settings' },
    {
      reply: new Answer(502, '<html><body>Bad gateway</body></html>'),
      text: 'Request failed with status 502',
    },
    { reply: new Answer(504, 'x'.repeat(10_240)), text: 'Request failed with status 504' },
  ])('[spec 2 §8] a $reply.status says $text and keeps the edits', async ({ reply, text }) => {
    await edited({ [saveCall]: reply })
    await click('Save changes')
    await waitFor(() => expect(toasts()).toEqual([`error: ${text}`]))
    expect([isMarked(), isPolling()]).toEqual([true, false])
  })

  test('Discard reloads the settings', async () => {
    const { asked, replies } = await edited()
    replies[loadCall] = someSettings({ updateChannel: 'rc' })
    const before = asked(loadCall).length
    await click('Discard')
    await waitFor(() => expect(asked(loadCall)).toHaveLength(before + 1))
    await waitFor(() =>
      expect(screen.getByRole('combobox', { name: 'Update channel' }).textContent).toBe('Release candidates'),
    )
    expect([isMarked(), isPolling()]).toEqual([false, true])
  })
})
