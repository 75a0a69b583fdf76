// @vitest-environment happy-dom
import { postAlertsActivate, type PastState } from '@pulse/contract'
import { aGuest } from '@pulse/testkit'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { useApi } from '../api/api.tsx'
import { formatMoment } from '../lib/format.ts'
import { useReadOnlyReason } from '../lib/moment.tsx'
import { useNow } from '../lib/use-now.ts'
import { aPastState } from '../live/fake-past.ts'
import { useLive } from '../live/use-live.ts'
import { Link } from '../ui/router/link.tsx'
import { showPast, type PastServer } from './fake-past.tsx'
import { inFreshBrowsers, pageOf } from './fake-shell.tsx'
import type { Page } from './routes.ts'

inFreshBrowsers()

const minute = 60_000
const now = Date.UTC(2026, 10, 28, 14, 0, 30)

/** Shows what a page gets. */
function Probe() {
  const api = useApi()
  const names = useLive(['guests'], (live) =>
    [...live.records('guests').values()].map(({ name }) => name).join(),
  )
  const clock = useNow(1_000, (time) => time)
  const readOnly = useReadOnlyReason()
  const [refusal, setRefusal] = useState<Error>()
  return (
    <>
      <p data-testid="probe">{`${names} at ${clock}`}</p>
      <button type="button" disabled={readOnly !== undefined}>
        Change
      </button>
      <button type="button" onClick={() => api.call(postAlertsActivate).catch(setRefusal)}>
        Forgotten
      </button>
      <p>{refusal?.message}</p>
      <Link to="/docker">to Docker</Link>
      <Link to="/settings">to Settings</Link>
    </>
  )
}

const table: Page[] = [
  { ...pageOf('proxmox', '/proxmox/overview', 'Overview'), load: async () => Probe },
  { ...pageOf('docker', '/docker', 'Docker'), load: async () => Probe },
  { ...pageOf('settings', '/settings', 'Settings', true), ofNow: ['/settings'] },
]
const guest = (name: string) => ({ guests: { g1: aGuest({ name }) } })

async function show(path: string, given: Partial<PastServer> = {}) {
  vi.useFakeTimers({ now, shouldAdvanceTime: true })
  return showPast({
    table,
    path,
    live: guest('new'),
    oldest: now - 100 * minute,
    state: async (at) => aPastState(at, guest('old')),
    ...given,
  })
}

const probe = () => screen.getByTestId('probe')
const mark = () => screen.queryByRole('region', { name: 'The page shows the past' })
const slider = () => screen.findByRole('slider', { name: 'Moment' })
const shows = (text: string) => waitFor(() => expect(probe().textContent).toBe(text))

test('[M 3.4] the button opens the controls, and an arrow key puts the page back by a minute', async () => {
  const { router } = await show('/proxmox/overview?search=a')
  expect(probe().textContent).toBe(`new at ${now}`)
  fireEvent.click(screen.getByRole('button', { name: 'Time machine' }))
  const bar = await slider()
  expect([document.activeElement, mark()]).toEqual([bar, null])
  fireEvent.keyDown(bar, { key: 'ArrowLeft' })
  const at = Math.floor(now / minute) * minute - minute
  await shows(`old at ${at}`)
  expect(router.view().location.search).toBe(`?search=a&at=${at}`)
  expect(mark()?.textContent).toContain('today')
  fireEvent.click(screen.getByRole('button', { name: 'Back to now' }))
  await waitFor(() => expect(probe().textContent).toMatch(/^new at/))
  expect([router.view().location.search, mark()]).toEqual(['?search=a', null])
})

test('[M 3.4] a held key loads only the moment where it rests', async () => {
  const { calls } = await show('/proxmox/overview')
  fireEvent.click(screen.getByRole('button', { name: 'Time machine' }))
  const bar = await slider()
  for (let press = 0; press < 5; press++) fireEvent.keyDown(bar, { key: 'ArrowLeft' })
  await shows(`old at ${Math.floor(now / minute) * minute - 5 * minute}`)
  expect(calls.filter(({ path }) => path === '/api/history/state').length).toBe(1)
})

test('[M 3.4] the moment in the address survives navigation, but not to the settings', async () => {
  const at = now - 10 * minute
  const { router } = await show(`/proxmox/overview?at=${at}`)
  await shows(`old at ${at}`)
  expect(screen.getByRole('link', { name: 'to Docker' }).getAttribute('href')).toBe(`/docker?at=${at}`)
  await act(async () => fireEvent.click(screen.getByRole('link', { name: 'to Docker' })))
  expect(router.view().location).toMatchObject({ path: '/docker', search: `?at=${at}` })
  await shows(`old at ${at}`)
  await act(async () => fireEvent.click(screen.getByRole('link', { name: 'to Settings' })))
  expect(router.view().location).toMatchObject({ path: '/settings', search: '' })
  expect([mark(), screen.getByRole<HTMLButtonElement>('button', { name: 'Time machine' }).disabled]).toEqual([
    null,
    true,
  ])
})

test('[M 3.4] nothing can be changed in the past, not even with a button that was forgotten', async () => {
  const { calls } = await show(`/proxmox/overview?at=${now - 10 * minute}`)
  await waitFor(() => expect(probe().textContent).toMatch(/^old/))
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Change' })
  expect(button.disabled).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Forgotten' }))
  expect(await screen.findByText('This is the past: nothing can be changed here.')).toBeTruthy()
  expect(calls.filter(({ method }) => method !== 'GET')).toEqual([])
})

test('[M 3.4] the page of now stays, grey and inert, until the first moment is there', async () => {
  let answer = (_: PastState) => {}
  const { router } = await show('/proxmox/overview', {
    state: () => new Promise((resolve) => (answer = resolve)),
  })
  const at = now - 10 * minute
  await act(async () => router.replace(`/proxmox/overview?at=${at}`))
  await waitFor(() => expect(mark()).not.toBeNull())
  expect(probe().textContent).toMatch(/^new/)
  expect(probe().closest('[inert]')).not.toBeNull()
  expect(probe().closest('[aria-busy=true]')).not.toBeNull()
  await act(async () => answer(aPastState(at, guest('old'))))
  await shows(`old at ${at}`)
  expect([probe().closest('[inert]'), probe().closest('[aria-busy=true]')]).toEqual([null, null])
})

test('[M 3.4] a dialog of now that stayed open changes nothing while the past loads, and after it failed', async () => {
  let fail = (_: Error) => {}
  const { router, calls } = await show('/proxmox/overview', {
    state: () => new Promise((_, reject) => (fail = reject)),
  })
  await act(async () => router.replace(`/proxmox/overview?at=${now - 10 * minute}`))
  await waitFor(() => expect(mark()).not.toBeNull())
  const press = async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Forgotten', hidden: true }))
    expect(await screen.findByText('This is the past: nothing can be changed here.')).toBeTruthy()
  }
  await press()
  await act(async () => fail(new Error('Pulse does not answer')))
  await press()
  expect(calls.filter(({ method }) => method !== 'GET')).toEqual([])
})

test('[M 3.4] a failure says why, keeps the former moment, and Retry asks again', async () => {
  let fails = false
  const { router } = await show(`/proxmox/overview?at=${now - 10 * minute}`, {
    async state(at) {
      if (fails) throw new Error('Pulse does not answer')
      return aPastState(at, guest('old'))
    },
  })
  await shows(`old at ${now - 10 * minute}`)
  fails = true
  await act(async () => router.replace(`/proxmox/overview?at=${now - 20 * minute}`))
  expect((await screen.findByRole('alert')).textContent).toContain('Pulse does not answer')
  expect(probe().textContent).toBe(`old at ${now - 10 * minute}`)
  fails = false
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await shows(`old at ${now - 20 * minute}`)
  expect(screen.queryByRole('alert')).toBeNull()
})

test('[M 3.4] a moment before the history is that of its beginning, and the page says so', async () => {
  await show(`/proxmox/overview?at=${now - 500 * minute}`)
  await shows(`old at ${now - 100 * minute}`)
  expect(screen.getByText(/^The history begins at/)).toBeTruthy()
})

test('[M 3.4] the page says that Pulse was off', async () => {
  await show(`/proxmox/overview?at=${now - 10 * minute}`, {
    state: async (at) => aPastState(at, guest('old'), { gap: 'off' }),
  })
  expect(await screen.findByText('Pulse did not run at this time')).toBeTruthy()
  expect(probe().textContent).toMatch(/^old/)
})

test('[M 3.4] without a history the page says so, and asks for no state', async () => {
  const { calls } = await show(`/proxmox/overview?at=${now - 10 * minute}`, { oldest: undefined })
  expect(await screen.findByText('No history yet')).toBeTruthy()
  expect(calls.filter(({ path }) => path === '/api/history/state')).toEqual([])
  expect(screen.getByRole('button', { name: 'Back to now' })).toBeTruthy()
})

test('[M 3.4] a date that is being typed survives the minutes that pass', async () => {
  await show('/proxmox/overview')
  fireEvent.click(screen.getByRole('button', { name: 'Time machine' }))
  const field = await screen.findByLabelText<HTMLInputElement>('Date and time')
  const untouched = field.value
  await act(() => vi.advanceTimersByTimeAsync(2 * minute))
  expect(screen.getByLabelText<HTMLInputElement>('Date and time').value).not.toBe(untouched)
  fireEvent.change(field, { target: { value: '2026-11-28T13:00' } })
  await act(() => vi.advanceTimersByTimeAsync(2 * minute))
  expect(screen.getByLabelText('Date and time')).toBe(field)
  expect(field.value).toBe('2026-11-28T13:00')
})

const states = (calls: { path: string }[]) => calls.filter(({ path }) => path === '/api/history/state').length

test('[M 3.4] an address older than the reach is loaded once', async () => {
  const { calls } = await show(`/proxmox/overview?at=${now - 20 * 1_440 * minute}`, { oldest: 0 })
  await shows(`old at ${now - 14 * 1_440 * minute}`)
  await act(() => vi.advanceTimersByTimeAsync(5 * minute))
  expect(states(calls)).toBe(1)
  expect(probe().textContent).toBe(`old at ${now - 14 * 1_440 * minute}`)
})

test('[M 3.4] a step that waits is given up when the address changes, and none of a held key is lost', async () => {
  const at = now - 50 * minute
  const { router } = await show(`/proxmox/overview?at=${at}`)
  await shows(`old at ${at}`)
  fireEvent.click(screen.getByRole('button', { name: 'Time machine' }))
  const bar = await slider()
  fireEvent.keyDown(bar, { key: 'ArrowLeft' })
  const other = now - 20 * minute
  await act(async () => router.replace(`/proxmox/overview?at=${other}`))
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(router.view().location.search).toBe(`?at=${other}`)
  for (let press = 0; press < 3; press++) {
    fireEvent.keyDown(bar, { key: 'ArrowRight' })
    await act(() => vi.advanceTimersByTimeAsync(149))
    await act(() => vi.advanceTimersByTimeAsync(2))
  }
  const whole = Math.floor(other / minute) * minute
  await shows(`old at ${whole + 3 * minute}`)
})

describe('[M 3.4] the controls', () => {
  const button = () => screen.getByRole('button', { name: 'Time machine' })

  test('that the button opens have the focus; Escape closes them and returns it', async () => {
    await show('/proxmox/overview')
    fireEvent.click(button())
    const bar = await slider()
    expect(document.activeElement).toBe(bar)
    fireEvent.keyDown(bar, { key: 'Escape' })
    expect(screen.queryByRole('slider', { name: 'Moment' })).toBeNull()
    expect(document.activeElement).toBe(button())
    fireEvent.click(button())
    await slider()
    fireEvent.click(screen.getByRole('button', { name: 'Close time machine' }))
    expect(document.activeElement).toBe(button())
  })

  test('that arrive after the focus has moved on leave it where it is', async () => {
    await show('/proxmox/overview')
    fireEvent.click(button())
    const later = screen.getByRole('button', { name: 'Forgotten' })
    later.focus()
    await slider()
    expect(document.activeElement).toBe(later)
  })
})

test.each([2_000, 2_001])('[M 3.4] of %i alerts the bar says whether it has them all', async (count) => {
  const alerts = Array.from({ length: count }, (_, n) => ({
    id: `${n}`,
    resourceId: 'main-pve1-100',
    startTime: new Date(now - (n + 1) * 1_000).toISOString(),
    peakLevel: 'warning',
  }))
  await show('/proxmox/overview', { alerts: alerts as never })
  fireEvent.click(screen.getByRole('button', { name: 'Time machine' }))
  const bar = await slider()
  const description = () => document.getElementById(bar.getAttribute('aria-describedby')!)!.textContent
  await waitFor(() => expect(description()).toContain('2000 alerts'))
  const isCut = count > 2_000
  expect(description().startsWith('The newest ')).toBe(isCut)
  const since = `Alerts before ${formatMoment(now - 2_000_000)} are not shown.`
  expect(screen.queryByText(since) !== null).toBe(isCut)
})
