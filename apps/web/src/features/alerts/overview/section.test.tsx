// @vitest-environment happy-dom
import { anAlert } from '@pulse/testkit'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { anAlertConfig, click, configCall, row, saveCall, toasts } from '../fake-alerts.tsx'
import { cpu, eachOnItsOwn, figures, off, old, rows, show } from '../fake-overview.tsx'

const ackCall = 'POST /api/alerts/guest%2F100-cpu/acknowledge'
const ok = { success: true }

eachOnItsOwn()

describe('[spec 3 §2] the overview', () => {
  test('shows what is not acknowledged first, then what is critical', async () => {
    await show([old, cpu, off])
    expect(rows()).toEqual(['off', 'guest/100-cpu', 'old'])
  })

  test('of each alert level, resource, type, node, message, start and badge', async () => {
    await show([cpu, off, old])
    expect(row('off').querySelector('[role=img]')!.getAttribute('aria-label')).toBe('Critical')
    expect(row('guest/100-cpu').textContent).toContain('webCPUon pve1CPU at 92 %Started ')
    expect(row('off').textContent).toContain('mailPowered off')
    expect(row('old').textContent).toContain('Acknowledged')
    expect(row('old').querySelector('[data-tip^="by zoe"]')).not.toBeNull()
  })

  test('a backup server is its own node, and a datastore is on it: by its name, never its address', async () => {
    const address = { node: 'https://192.0.2.7:8007', instance: 'pbs1' }
    const metadata = { resourceType: 'PBS' }
    await show([
      anAlert({ id: 'pbs', resourceName: 'pbs1', message: 'CPU at 90 %', metadata, ...address }),
      anAlert({ id: 'store', resourceName: 'main', message: 'full', ...address }),
    ])
    expect(row('pbs').textContent).not.toContain('on ')
    expect(row('store').textContent).toContain('on pbs1')
    expect(document.body.textContent).not.toContain('192.0.2.7')
  })

  test('four cards', async () => {
    const overrides = {
      'guest:main:100': { disabled: true },
      'node:main:pve1': { disableConnectivity: true },
    }
    await show([cpu, off, old], {
      config: anAlertConfig({ overrides }),
      replies: { 'GET /api/alerts/history/count': { count: 20_123 } },
    })
    expect(figures()).toEqual([
      ['Active Alerts', '2'],
      ['Acknowledged', '1'],
      ['Last 24 Hours', '20,123'],
      ['Guest Overrides', '1'],
    ])
  })

  test('acknowledged ones are hidden and shown; with none left it says so', async () => {
    await show([old])
    await click('Hide acknowledged')
    expect(screen.getByText('No unacknowledged alerts')).toBeDefined()
    await click('Show acknowledged')
    expect(rows()).toEqual(['old'])
  })

  test('empty', async () => {
    await show([])
    expect(screen.getByText('No active alerts')).toBeDefined()
    expect(screen.getByText('Alerts will appear here when thresholds are exceeded')).toBeDefined()
    expect(screen.queryByRole('button', { name: /Acknowledge all/ })).toBeNull()
  })

  test('[spec 3 §4] while alerts are not active there is nothing to see or to do but the switch', async () => {
    await show([cpu], { config: anAlertConfig({ activationState: 'pending_review' }) })
    const body = document.querySelector('[data-inactive=true]')!
    expect(body.hasAttribute('inert')).toBe(true)
    expect(body.textContent).not.toContain('web')
    expect(screen.getByRole('switch', { name: 'Alerts disabled' })).toBeDefined()
  })

  test('who is no administrator reads, and changes nothing', async () => {
    await show([cpu], { role: 'viewer' })
    expect(screen.queryByRole('button', { name: /acknowledge/i })).toBeNull()
    expect(screen.getByRole('switch', { name: 'Alerts enabled' }).hasAttribute('data-disabled')).toBe(true)
  })
})

describe('[spec 3 §4] acknowledging', () => {
  const press = () => click('Acknowledge web: CPU at 92 %')

  test('is seen at once, and sent with who does it', async () => {
    let answer = (_reply: unknown) => {}
    const { asked } = await show([cpu], {
      replies: { [ackCall]: () => new Promise((done) => (answer = done)) },
    })
    await press()
    expect(row('guest/100-cpu').textContent).toContain('Acknowledged')
    expect(screen.getByText('Processing...')).toBeDefined()
    expect(asked(ackCall).map(({ body }) => body)).toEqual([{ user: 'ann' }])
    await act(async () => answer(ok))
    expect(toasts()).toEqual(['success: Alert acknowledged'])
  })

  test('stays so when the server confirms it, and goes on as the server says', async () => {
    const { live } = await show([cpu], { replies: { [ackCall]: ok } })
    await press()
    await act(async () => live.put({ activeAlerts: { [cpu.id]: { ...cpu, acknowledged: true } } }))
    await act(async () => live.put({ activeAlerts: { [cpu.id]: cpu } }))
    expect(row('guest/100-cpu').textContent).not.toContain('Acknowledged')
  })

  test('that failed is taken back', async () => {
    await show([cpu], { replies: { [ackCall]: 500 } })
    await press()
    expect(row('guest/100-cpu').textContent).not.toContain('Acknowledged')
    expect(toasts()).toEqual(['error: Failed to acknowledge alert'])
  })

  test('that is not confirmed within 15 s is dropped, with an error', async () => {
    await show([cpu], { replies: { [ackCall]: ok } })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    fireEvent.click(screen.getByRole('button', { name: 'Acknowledge web: CPU at 92 %' }))
    expect(row('guest/100-cpu').textContent).toContain('Acknowledged')
    await act(async () => vi.advanceTimersByTimeAsync(15_000))
    expect(row('guest/100-cpu').textContent).not.toContain('Acknowledged')
    expect(toasts()).toContain(
      'error: Server did not confirm the alert acknowledgment in time. Re-syncing from latest data.',
    )
  })

  test('is taken back again', async () => {
    const { asked } = await show([old], { replies: { 'POST /api/alerts/old/unacknowledge': ok } })
    await click('Unacknowledge db: CPU at 85 %')
    expect(row('old').textContent).not.toContain('Acknowledged')
    expect(asked('POST /api/alerts/old/unacknowledge')).toHaveLength(1)
    expect(toasts()).toEqual(['success: Alert restored'])
  })

  test('that could not be taken back says so', async () => {
    await show([old], { replies: { 'POST /api/alerts/old/unacknowledge': 500 } })
    await click('Unacknowledge db: CPU at 85 %')
    expect(row('old').textContent).toContain('Acknowledged')
    expect(toasts()).toEqual(['error: Failed to restore alert'])
  })

  test('locks the button for 1.5 s after a single action', async () => {
    await show([cpu], { replies: { [ackCall]: ok } })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const button = () =>
      within(row('guest/100-cpu')).getByRole<HTMLButtonElement>('button', { name: /cknowledge|Processing/ })
    fireEvent.click(button())
    await act(async () => vi.advanceTimersByTimeAsync(1_400))
    expect([button().textContent, button().disabled]).toEqual(['Processing...', true])
    await act(async () => vi.advanceTimersByTimeAsync(200))
    expect([button().textContent, button().disabled]).toEqual(['Unacknowledge', false])
  })

  test('of several at once tells how many', async () => {
    const results = ['a', 'b'].flatMap((alertId) => [
      { alertId, success: true },
      { alertId: `${alertId}!`, success: false },
    ])
    await show([cpu], { replies: { 'POST /api/alerts/bulk/acknowledge': { results } } })
    await click('Acknowledge all (1)')
    expect(toasts()).toEqual([
      'success: Acknowledged 2 alert(s).',
      'error: Failed to acknowledge 2 alert(s).',
    ])
  })

  test('of all at once tells how many, and how many not', async () => {
    const { asked } = await show([cpu, off, old], {
      replies: {
        'POST /api/alerts/bulk/acknowledge': {
          results: [
            { alertId: cpu.id, success: true },
            { alertId: 'off', success: false },
          ],
        },
      },
    })
    await click('Acknowledge all (2)')
    expect(asked('POST /api/alerts/bulk/acknowledge')[0]!.body).toEqual({
      alertIds: [cpu.id, 'off'],
      user: 'ann',
    })
    expect(row('guest/100-cpu').textContent).toContain('Acknowledged')
    expect(row('off').textContent).not.toContain('Acknowledged')
    expect(toasts()).toEqual([
      'success: Acknowledged 1 alert(s).',
      'error: Failed to acknowledge 1 alert(s).',
    ])
  })

  test('of all that failed says so', async () => {
    await show([cpu], { replies: { 'POST /api/alerts/bulk/acknowledge': 500 } })
    await click('Acknowledge all (1)')
    expect(toasts()).toEqual(['error: Failed to acknowledge alerts'])
  })
})

describe('[spec 3 §4] activation', () => {
  const pending = anAlertConfig({ activationState: 'pending_review' })
  const toggle = (name: string) => click(name, 'switch')

  test('loads the configuration, activates, and says so', async () => {
    const view = await show([], { config: pending, replies: { 'POST /api/alerts/activate': ok } })
    view.calls.length = 0
    await toggle('Alerts disabled')
    await view.settled()
    expect(view.calls.map(({ call }) => call).slice(0, 2)).toEqual([configCall, 'POST /api/alerts/activate'])
    expect(toasts()).toEqual([
      "success: Alerts activated! You'll now receive alerts when issues are detected.",
    ])
  })

  test('without a configuration does nothing', async () => {
    const view = await show([], { config: pending })
    view.answers[configCall] = 500
    await toggle('Alerts disabled')
    expect(view.asked('POST /api/alerts/activate')).toEqual([])
    expect(toasts()).toEqual(['error: Alert configuration is unavailable'])
  })

  test('that failed says so', async () => {
    await show([], { config: pending, replies: { 'POST /api/alerts/activate': 500 } })
    await toggle('Alerts disabled')
    expect(toasts()).toEqual(['error: Unable to activate alerts. Please try again.'])
  })

  test('is under way once: the switch is locked meanwhile', async () => {
    let answer = (_reply: unknown) => {}
    const view = await show([], {
      config: pending,
      replies: { 'POST /api/alerts/activate': () => new Promise((done) => (answer = done)) },
    })
    await toggle('Alerts disabled')
    const lever = screen.getByRole('switch', { name: 'Alerts disabled' })
    expect(lever.hasAttribute('data-disabled')).toBe(true)
    await toggle('Alerts disabled')
    await act(async () => answer(ok))
    expect(view.asked('POST /api/alerts/activate')).toHaveLength(1)
  })

  test('that could not be ended says why', async () => {
    await show([], { replies: { [saveCall]: 500 } })
    await toggle('Alerts enabled')
    expect(toasts()).toEqual([expect.stringMatching(/^error: .+/)])
  })

  test('is ended by saving the whole configuration as pending review', async () => {
    const view = await show([])
    await toggle('Alerts enabled')
    await view.settled()
    expect(view.asked(saveCall)[0]!.body).toEqual({ ...anAlertConfig(), activationState: 'pending_review' })
    expect(toasts()).toEqual([
      'success: Alerts deactivated. Nothing will be sent until you activate them again.',
    ])
    expect(screen.getByRole('switch', { name: 'Alerts disabled' })).toBeDefined()
  })

  test('snoozing saves the whole configuration with the new state, and says so', async () => {
    const view = await show([cpu], { replies: { 'GET /api/alerts/active': [cpu] } })
    await click('Snooze alerts')
    await view.settled()
    expect(view.asked(saveCall)[0]!.body).toEqual({ ...anAlertConfig(), activationState: 'snoozed' })
    expect(toasts()).toEqual(['warning: Alerts snoozed. Nothing will be sent until you activate them again.'])
    expect(await screen.findByText('Alerts are snoozed · 1 condition would alert now')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Snooze alerts' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Activate alerts' })).toBeDefined()
  })

  test('only an administrator snoozes', async () => {
    await show([cpu], { role: 'viewer' })
    expect(screen.queryByRole('button', { name: 'Snooze alerts' })).toBeNull()
  })
})

test('why: the values of the last evaluation', async () => {
  await show([cpu], {
    replies: {
      'GET /api/alerts/trace': {
        gates: [],
        conditions: [
          {
            alertId: cpu.id,
            type: 'cpu',
            resourceId: 'main-pve1-100',
            resourceName: 'web',
            state: 'active',
            value: 92.4,
            unit: '%',
            threshold: { trigger: 80, clear: 75, origin: { from: 'override' } },
            delay: {
              seconds: 5,
              passedSeconds: 12,
              origin: { from: 'defaults', name: 'timeThresholds.guest' },
            },
            steps: ['Raised as a warning.'],
            notices: [
              { at: '2026-01-01T11:00:05Z', channel: 'Email', text: 'Delivered.' },
              { at: '2026-01-01T11:01:00Z', text: 'Held back until quiet hours end.' },
            ],
          },
        ],
      },
    },
  })
  await click('Why: web')
  const dialog = await screen.findByRole('dialog')
  await screen.findByText('Raised as a warning.')
  expect(dialog.textContent).toContain('80% (clears at 75%), set for this resource')
  expect(dialog.textContent).toContain('5 s (exceeded for 12 s), guest default')
  const notices = within(screen.getByRole('list', { name: 'Notifications' })).getAllByRole('listitem')
  expect(notices.map(({ textContent }) => textContent.replace(/^.*(AM|PM) /, ''))).toEqual([
    'Email: Delivered.',
    'Held back until quiet hours end.',
  ])
})
