// @vitest-environment happy-dom
import type { Alert } from '@pulse/contract'
import { alertAddress } from '@pulse/domain'
import { anAlert } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { choose, deliveriesCall, showDestinations } from './destinations/fixtures.tsx'
import { anAlertConfig, click, freshBrowser, inTable, showAlerts } from './fake-alerts.tsx'
import { showThresholds } from './fake-thresholds.tsx'

const cpu = anAlert({ id: 'cpu', resourceName: 'web', node: 'pve1' })
const off = anAlert({ id: 'off', resourceName: 'mail', type: 'powered-off', level: 'critical', node: 'pve2' })
const old = anAlert({ id: 'old', resourceName: 'web2', node: 'pve2', level: 'critical', acknowledged: true })
const activeAlerts = { cpu, off, old }

/** recent enough for every period of the history */
const now = (alert: Alert): Alert => ({ ...alert, startTime: new Date().toISOString() })

const showOverview = (query = '') => showAlerts(`/alerts/overview${query}`, { live: aLive({ activeAlerts }) })
const showHistory = (query = '') =>
  showAlerts(`/alerts/history${query}`, { live: aLive({ activeAlerts: { cpu: now(cpu), off: now(off) } }) })

const rows = () => [...document.querySelectorAll<HTMLElement>('[data-row]')].map((one) => one.dataset['row'])
const box = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const type = (name: string, text: string) =>
  act(async () => void fireEvent.change(box(name), { target: { value: text } }))
type View = Awaited<ReturnType<typeof showAlerts>>
const reads = (view: View, address: string) => waitFor(() => expect(view.address()).toBe(address))

freshBrowser()

test.each(['overview', 'history', 'thresholds/proxmox', 'destinations'])(
  'nothing stands in the address of %s while all is as usual',
  async (section) => {
    const view = await showAlerts(`/alerts/${section}`, { live: aLive({ activeAlerts }) })
    expect(view.address()).toBe(`/alerts/${section}`)
  },
)

describe('the alerts that are', () => {
  test('filtered, grouped and hidden are so again after a reload, on Back and by a link', async () => {
    const view = await showOverview()
    await type('Search active alerts', 'mail')
    await click('Critical', 'radio')
    await choose(screen.getByRole('combobox', { name: 'Kind' }), 'Powered off')
    await choose(screen.getByRole('combobox', { name: 'Node' }), 'pve2')
    await choose(screen.getByRole('combobox', { name: 'Groups' }), 'By node')
    await click('Hide acknowledged')
    await waitFor(() => expect(view.address()).toContain('search=mail'))
    const address = view.address()
    expect([...new URLSearchParams(address.split('?')[1])].toSorted()).toEqual([
      ['acknowledged', 'hidden'],
      ['grouping', 'node'],
      ['kind', 'Powered off'],
      ['level', 'critical'],
      ['node', 'pve2'],
      ['search', 'mail'],
    ])
    const shown = rows()
    expect(shown).toEqual(['group:pve2', 'off'])

    await act(() => view.router.go('/alerts/history'))
    await view.back()
    await waitFor(() => expect(rows()).toEqual(shown))
    expect(box('Search active alerts').value).toBe('mail')

    cleanup()
    localStorage.clear()
    await showAlerts(address, { live: aLive({ activeAlerts }) })
    expect(rows()).toEqual(shown)
    expect(box('Search active alerts').value).toBe('mail')
    expect(screen.getByRole('button', { name: 'Show acknowledged' })).toBeDefined()
  })

  test.each([
    ['?level=critical', ['off', 'old']],
    ['?level=critical&acknowledged=hidden', ['off']],
    ['?kind=CPU', ['cpu', 'old']],
    ['?node=pve1', ['cpu']],
    ['?search=mail', ['off']],
    ['?level=loud&grouping=colour&acknowledged=perhaps', ['cpu', 'off', 'old']],
  ])('%s leaves %j', async (query, ids) => {
    await showOverview(query)
    expect(rows().toSorted()).toEqual(ids)
  })

  test('Reset leaves nothing of it in the address, and no grouping for the next visit', async () => {
    const view = await showOverview('?search=mail&level=critical&kind=Powered+off&node=pve2&grouping=node')
    await click('Reset')
    await reads(view, '/alerts/overview')
    expect(rows()).toHaveLength(3)
    expect(localStorage.getItem('alertsGrouping')).toBeNull()
  })

  test('of a link keep the reader’s own grouping for their next visit', async () => {
    await showOverview('?grouping=node')
    expect(rows()).toContain('group:pve1')
    expect(localStorage.getItem('alertsGrouping')).toBeNull()
  })
})

describe('the history', () => {
  test('is searched as its address says; a search is in it while there is one', async () => {
    const view = await showHistory('?search=mail')
    const found = () => rows().filter((key) => key!.startsWith('alert:'))
    expect([found().length, box('Search alerts').value]).toEqual([1, 'mail'])
    await type('Search alerts', 'web')
    await reads(view, '/alerts/history?search=web')
    await act(() => view.router.go('/alerts/overview'))
    await view.back()
    await waitFor(() => expect(box('Search alerts').value).toBe('web'))
    await type('Search alerts', '')
    await reads(view, '/alerts/history')
    expect(found()).toHaveLength(2)
  })

  test('[spec 3 §4] shows the period and severity of a link, and remembers only what is chosen here', async () => {
    const view = await showHistory('?period=30d&level=critical')
    const chosen = () => screen.getAllByRole('radio', { checked: true }).map(({ textContent }) => textContent)
    expect(chosen()).toEqual(['30d', 'Critical'])
    expect([localStorage.getItem('alertHistoryPeriod'), localStorage.getItem('alertHistoryLevel')]).toEqual([
      null,
      null,
    ])
    await click('24h', 'radio')
    await reads(view, '/alerts/history?level=critical&period=24h')
    expect(localStorage.getItem('alertHistoryPeriod')).toBe('24h')
  })

  test('shows the alert of a mail alone, whatever was chosen here before', async () => {
    localStorage.setItem('alertHistoryLevel', 'critical')
    const again = now({ ...cpu, id: 'again' })
    const wanted = {
      ...again,
      startTime: new Date(Date.parse(again.startTime) - 9 * 86_400_000).toISOString(),
    }
    const view = await showAlerts(alertAddress('', wanted), {
      live: aLive({ activeAlerts: { again } }),
      replies: { 'GET /api/alerts/history': [{ ...wanted, endTime: again.startTime }] },
    })
    const found = () => rows().filter((key) => key!.startsWith('alert:'))
    expect(found()).toEqual([`alert:${wanted.startTime} again`])
    await click('Clear filter')
    await reads(view, '/alerts/history?period=30d&level=all&search=web')
    expect(found()).toHaveLength(2)
  })
})

describe('the thresholds', () => {
  const search = () => box('Search resources')

  test('are searched as their address says, in each of their tables', async () => {
    const view = await showThresholds('proxmox?search=mail')
    expect(search().value).toBe('mail')
    expect(inTable('VMs & Containers').queryByText('web')).toBeNull()
    await click('Docker', 'link')
    expect(view.address()).toBe('/alerts/thresholds/docker?search=mail')
    await type('Search resources', 'cellar')
    await reads(view, '/alerts/thresholds/docker?search=cellar')
    await view.back()
    expect([view.address(), search().value]).toEqual(['/alerts/thresholds/proxmox?search=mail', 'mail'])
    await type('Search resources', '')
    await reads(view, '/alerts/thresholds/proxmox')
  })

  test('keep an edit that is not saved while they are searched, without a dialog', async () => {
    const view = await showThresholds()
    const before = inTable('VMs & Containers').getAllByRole('switch')[0]!
    await act(async () => void fireEvent.click(before))
    expect(screen.getByText('You have unsaved changes')).toBeDefined()
    await type('Search resources', 'mail')
    await reads(view, '/alerts/thresholds/proxmox?search=mail')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByText('You have unsaved changes')).toBeDefined()
  })
})

describe('[spec 3 §2] an address that leads to another', () => {
  test.each([
    ['/alerts?level=critical', '/alerts/overview?level=critical'],
    ['/alerts/thresholds?search=web', '/alerts/thresholds/proxmox?search=web'],
    ['/alerts/custom-rules?search=web', '/alerts/thresholds/proxmox?search=web'],
    ['/alerts/history/more?search=web#top', '/alerts/history?search=web'],
    ['/alerts/nowhere?search=web', '/alerts/overview'],
  ])('%s leads to %s: its own page keeps what follows the path', async (from, to) => {
    expect((await showAlerts(from)).address()).toBe(to)
  })

  test('a page that is closed while alerts are off leaves its question behind', async () => {
    const config = anAlertConfig({ activationState: 'pending_review' })
    expect((await showAlerts('/alerts/thresholds?search=web', { config })).address()).toBe('/alerts/overview')
  })
})

describe('the delivery log', () => {
  test('is asked for what its address says, and says what is chosen', async () => {
    const view = await showDestinations({}, { path: '/alerts/destinations?state=failed&channel=email' })
    expect(view.asked(deliveriesCall)[0]!.search).toContain('state=failed&channel=email')
    await choose(screen.getByRole('combobox', { name: 'State' }), 'All states')
    expect(view.address()).toBe('/alerts/destinations?channel=email')
    await choose(screen.getByRole('combobox', { name: 'Channel' }), 'All channels')
    expect(view.address()).toBe('/alerts/destinations')
  })

  test('is not asked for a state that there is not', async () => {
    const view = await showDestinations({}, { path: '/alerts/destinations?state=lost' })
    expect(view.asked(deliveriesCall)[0]!.search).not.toContain('state')
  })
})
