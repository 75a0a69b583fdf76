// @vitest-environment happy-dom
import { scheduleDefaults } from '@pulse/contract'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { anAlertConfig, click, showAlerts, toasts } from '../fake-alerts.tsx'

const show = (schedule: Partial<typeof scheduleDefaults> = {}) =>
  showAlerts('/alerts/schedule', {
    config: anAlertConfig({ schedule: { ...scheduleDefaults, ...schedule } }),
  })
const block = (name: string) => within(screen.getByRole('region', { name }))
const toggle = (name: string) => act(async () => void fireEvent.click(block(name).getByRole('switch')))
async function type(label: string, value: string) {
  const field = screen.getByLabelText(label)
  await act(async () => {
    fireEvent.change(field, { target: { value } })
    fireEvent.blur(field)
  })
}
async function saved(view: Awaited<ReturnType<typeof show>>) {
  await click('Save Changes')
  await view.settled()
  return view.stored().schedule
}

beforeEach(() => {
  localStorage.clear()
  toasts()
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('[spec 3 §2] four cards, whose details are there while they are enabled', async () => {
  await show()
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Quiet hours',
    'Cooldown',
    'Grouping',
    'Escalation',
  ])
  const states = ['Quiet hours', 'Cooldown', 'Grouping', 'Escalation'].map(
    (name) => block(name).queryByText('Enabled') !== null,
  )
  expect(states).toEqual([false, true, true, false])
  expect([screen.queryByLabelText('Start time'), screen.queryByText('Add Escalation Level')]).toEqual([
    null,
    null,
  ])
  expect(screen.getByRole('list', { name: 'Active settings' }).textContent).toContain('30 min cooldown')
})

test('[spec 3 §4] an edit is unsaved until it is saved', async () => {
  const view = await show()
  await toggle('Quiet hours')
  await type('Start time', '23:30')
  await click('Saturday')
  await act(async () => void fireEvent.click(screen.getByRole('checkbox', { name: 'Storage' })))
  await type('Cooldown period', '500')
  await type('Max alerts / hour', 'many')
  await act(async () => void fireEvent.change(screen.getByRole('slider'), { target: { value: '12' } }))
  await act(async () => void fireEvent.click(screen.getByRole('checkbox', { name: 'By Guest' })))
  const { quietHours, cooldown, maxAlertsHour, grouping } = await saved(view)
  expect(quietHours).toMatchObject({
    enabled: true,
    start: '23:30',
    days: { saturday: true, sunday: false },
    suppress: { storage: true, offline: false },
  })
  expect([cooldown, maxAlertsHour]).toEqual([120, 3])
  expect(grouping).toEqual({ enabled: true, window: 720, byNode: true, byGuest: true })
})

test('[spec 3 §4] escalation levels are added, edited and removed', async () => {
  const view = await show()
  await toggle('Escalation')
  await click('Add Escalation Level')
  await click('Add Escalation Level')
  await type('Level 2: after minutes', '60')
  await click('Remove level 1')
  expect((await saved(view)).escalation).toEqual({ enabled: true, levels: [{ after: 60, notify: 'all' }] })
})

test('[spec 3 §4] reset restores the defaults of all four blocks', async () => {
  const view = await show({
    cooldown: 0,
    escalation: { enabled: true, levels: [{ after: 15, notify: 'email' }] },
  })
  await click('Reset to defaults')
  expect(await saved(view)).toEqual(scheduleDefaults)
})
