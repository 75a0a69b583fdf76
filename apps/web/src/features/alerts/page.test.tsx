// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import {
  anAlertConfig,
  click,
  configCall,
  freshBrowser,
  saveCall,
  showAlerts,
  toasts,
} from './fake-alerts.tsx'

const [wide, narrow] = [0, 1] as const
const navigation = (which: 0 | 1) => within(screen.getAllByRole('navigation', { name: 'Alerts' })[which]!)
const path = (view: Awaited<ReturnType<typeof showAlerts>>) => view.router.view().location.path
const unsaved = () => screen.queryByText('You have unsaved changes') !== null
const edit = () => click('Alerts of all: Backups', 'switch')
const thresholds = '/alerts/thresholds/proxmox'

freshBrowser()

describe('[spec 3 §2] routes', () => {
  test.each([
    ['/alerts', '/alerts/overview', 'Alerts Overview'],
    ['/alerts/', '/alerts/overview', 'Alerts Overview'],
    ['/alerts/nowhere', '/alerts/overview', 'Alerts Overview'],
    ['/alerts/custom-rules', '/alerts/thresholds/proxmox', 'Alert Thresholds'],
    ['/alerts/thresholds/', '/alerts/thresholds/proxmox', 'Alert Thresholds'],
    ['/alerts/thresholds/docker', '/alerts/thresholds/docker', 'Alert Thresholds'],
    ['/alerts/destinations', '/alerts/destinations', 'Notification Destinations'],
    ['/alerts/schedule', '/alerts/schedule', 'Maintenance Schedule'],
    ['/alerts/history', '/alerts/history', 'Alert History'],
  ])('%s ends at %s, headed %s', async (from, to, title) => {
    const view = await showAlerts(from)
    expect(path(view)).toBe(to)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title)
  })
})

describe('[spec 3 §2] navigation', () => {
  test('names groups and pages, and marks the current one', async () => {
    await showAlerts('/alerts/history')
    expect(
      navigation(wide)
        .getAllByRole('heading')
        .map(({ textContent }) => textContent),
    ).toEqual(['Status', 'Configuration'])
    for (const which of [wide, narrow]) {
      const links = navigation(which).getAllByRole('link')
      expect(links.map((link) => [link.textContent, link.getAttribute('aria-current')])).toEqual([
        ['Overview', null],
        ['History', 'page'],
        ['Thresholds', null],
        ['Notifications', null],
        ['Schedule', null],
      ])
    }
  })

  test('while alerts are not active every entry but Overview is disabled, with the reason', async () => {
    for (const activationState of ['pending_review', 'snoozed'] as const) {
      const view = await showAlerts('/alerts/history', { config: anAlertConfig({ activationState }) })
      expect(path(view)).toBe('/alerts/overview')
      for (const which of [wide, narrow]) {
        const links = navigation(which).getAllByRole('link')
        expect(links.map((link) => [link.getAttribute('aria-disabled'), link.dataset['tip']])).toEqual([
          [null, undefined],
          ['true', 'Activate alerts to configure'],
          ['true', 'Activate alerts to configure'],
          ['true', 'Activate alerts to configure'],
          ['true', 'Activate alerts to configure'],
        ])
      }
      cleanup()
    }
  })

  test('who is on another page when alerts become inactive is sent to Overview', async () => {
    const view = await showAlerts('/alerts/history')
    view.answers[configCall] = anAlertConfig({ activationState: 'pending_review' })
    await act(async () => view.live.events.emit({ type: 'alertConfigChanged', data: {} }))
    await waitFor(() => expect(path(view)).toBe('/alerts/overview'))
  })
})

test('without a configuration it says so, and asks again', async () => {
  const view = await showAlerts('/alerts/history', { replies: { [configCall]: 500 } })
  expect(screen.getByText('Alert configuration is unavailable')).toBeDefined()
  view.answers[configCall] = anAlertConfig()
  await click('Retry')
  await waitFor(() => expect(screen.queryByText('Alert configuration is unavailable')).toBeNull())
})

describe('[spec 3 §4] unsaved changes', () => {
  test('are kept from one page to the next, and shown where the configuration is edited', async () => {
    const view = await showAlerts(thresholds)
    expect(unsaved()).toBe(false)
    await edit()
    expect(unsaved()).toBe(true)
    await act(async () => view.router.go('/alerts/schedule'))
    expect(unsaved()).toBe(true)
    await act(async () => view.router.go('/alerts/history'))
    expect(unsaved()).toBe(false)
  })

  test('are saved as a whole, without whether alerts are active', async () => {
    const view = await showAlerts(thresholds)
    await edit()
    await click('Save Changes')
    await view.settled()
    const { activationState: _state, ...rest } = anAlertConfig()
    expect(view.asked(saveCall).map(({ body }) => body)).toEqual([
      { ...rest, backupDefaults: { ...rest.backupDefaults, enabled: true } },
    ])
    expect([unsaved(), toasts()]).toEqual([false, ['success: Configuration saved successfully!']])
  })

  test('leave alone what another browser saved meanwhile', async () => {
    const view = await showAlerts(thresholds)
    await edit()
    const other = anAlertConfig({ overrides: { 'guest:main:100': { disabled: true } } })
    view.answers[configCall] = other
    await click('Save Changes')
    await view.settled()
    expect(view.asked(saveCall)[0]!.body).toMatchObject({
      overrides: other.overrides,
      backupDefaults: { enabled: true },
    })
  })

  test('that could not be saved stay, with the reason', async () => {
    const view = await showAlerts(thresholds, { replies: { [saveCall]: 500 } })
    await edit()
    await click('Save Changes')
    await view.settled()
    expect([unsaved(), toasts()]).toEqual([true, ['error: Failed to save configuration']])
  })

  test('are discarded by reloading the configuration', async () => {
    const view = await showAlerts(thresholds)
    await edit()
    const before = view.asked(configCall).length
    await click('Discard')
    await view.settled()
    expect(view.asked(configCall)).toHaveLength(before + 1)
    expect([unsaved(), toasts()]).toEqual([false, ['success: Changes discarded']])
    expect(screen.getByRole('switch', { name: 'Alerts of all: Backups' }).getAttribute('aria-checked')).toBe(
      'false',
    )
  })

  test('stay when that fails', async () => {
    const view = await showAlerts(thresholds)
    await edit()
    view.answers[configCall] = 500
    await click('Discard')
    await view.settled()
    expect([unsaved(), toasts()]).toEqual([true, ['error: Failed to reload configuration']])
  })

  test('who leaves the alerts with them is asked first', async () => {
    const view = await showAlerts(thresholds)
    const isOn = () =>
      screen.getByRole('switch', { name: 'Alerts of all: Backups' }).getAttribute('aria-checked')
    const before = isOn()
    await edit()
    expect(isOn()).not.toBe(before)
    await act(async () => void view.router.go('/proxmox/overview'))
    expect(screen.getByRole('dialog').textContent).toContain('Leave without saving?')
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Discard changes' })))
    await screen.findByRole('heading', { name: 'home' })
    await act(async () => void view.router.go(thresholds))
    await waitFor(() => expect([isOn(), unsaved()]).toEqual([before, false]))
  })
})
