// @vitest-environment happy-dom
import { scheduleDefaults } from '@pulse/contract'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { anAlertConfig, click, freshBrowser, showAlerts } from '../fake-alerts.tsx'

const show = (schedule: Partial<typeof scheduleDefaults> = {}) =>
  showAlerts('/alerts/schedule', {
    config: anAlertConfig({ schedule: { ...scheduleDefaults, ...schedule } }),
  })
const block = (name: string) => within(screen.getByRole('region', { name }))
const toggle = (name: string) =>
  act(async () => void fireEvent.click(block(name).getByRole('switch', { name })))
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

freshBrowser()

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

test('[spec 3 §2] [spec 3 §9] the words of the page', async () => {
  const { quietHours } = scheduleDefaults
  await show({
    quietHours: { ...quietHours, enabled: true },
    escalation: { enabled: true, levels: [{ after: 15, notify: 'all' }] },
  })
  expect(screen.getByRole('heading', { level: 2, name: 'Alert scheduling' })).toBeDefined()
  const quiet = block('Quiet hours')
  expect(quiet.getByText('Weekdays only')).toBeDefined()
  expect(quiet.getByRole('combobox', { name: 'Timezone' }).textContent).toContain('UTC')
  expect([screen.getByLabelText('Start time'), screen.getByLabelText('End time')]).toEqual([
    expect.objectContaining({ value: '22:00' }),
    expect.objectContaining({ value: '08:00' }),
  ])
  expect(quiet.getAllByRole('checkbox').map((box) => box.closest('label')!.textContent)).toEqual([
    'PerformanceCPU, memory, disk, network',
    'StorageUsage, disk health, ZFS',
    'Offline and power stateUnreachable, powered off',
  ])
  expect(screen.getByLabelText<HTMLInputElement>('Cooldown period').value).toBe('30')
  expect(screen.getByLabelText<HTMLInputElement>('Max alerts / hour').value).toBe('3')
  const grouping = block('Grouping')
  expect(grouping.getByRole<HTMLInputElement>('slider', { name: 'Grouping window' }).value).toBe('5')
  expect(
    grouping
      .getAllByRole<HTMLInputElement>('checkbox')
      .map((box) => [box.closest('label')!.textContent, box.checked]),
  ).toEqual([
    ['By Node', true],
    ['By Guest', false],
  ])
  const escalation = block('Escalation')
  expect(escalation.getByRole('listitem').textContent).toContain('After')
  expect(escalation.getByRole('button', { name: 'Add Escalation Level' })).toBeDefined()
  await click('Level 1: notify', 'combobox')
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'Email',
    'Webhook',
    'All',
  ])
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
    notifyOnResolve: false,
    quietHours: { ...scheduleDefaults.quietHours, start: '20:00', timezone: 'Europe/Paris' },
  })
  await click('Reset to defaults')
  // notify on resolve is outside the four blocks, and the time zone is the host's
  expect(await saved(view)).toEqual({
    ...scheduleDefaults,
    notifyOnResolve: false,
    quietHours: { ...scheduleDefaults.quietHours, timezone: 'Europe/Paris' },
  })
})

const levels = (...afters: number[]) => ({
  enabled: true,
  levels: afters.map((after) => ({ after, notify: 'all' as const })),
})

test('a level removed here and another one removed elsewhere are both gone', async () => {
  const view = await show({ escalation: levels(15, 30, 60) })
  await click('Remove level 2')
  view.answers['GET /api/alerts/config'] = () =>
    anAlertConfig({ schedule: { ...scheduleDefaults, escalation: levels(30, 60) } })
  expect((await saved(view)).escalation.levels).toEqual(levels(60).levels)
})

test('a save whose answer is lost, and another one, add a level once', async () => {
  const view = await show({ escalation: levels(15) })
  await click('Add Escalation Level')
  const store = view.answers['PUT /api/alerts/config'] as (sent: unknown) => unknown
  view.answers['PUT /api/alerts/config'] = (sent: unknown) => {
    store(sent)
    throw new TypeError('Failed to fetch')
  }
  await saved(view)
  expect(screen.getByText('You have unsaved changes')).toBeDefined()
  view.answers['PUT /api/alerts/config'] = store
  expect((await saved(view)).escalation.levels).toEqual(levels(15, 45).levels)
})
