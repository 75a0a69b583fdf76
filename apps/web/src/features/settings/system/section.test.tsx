// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Answer, aStatus, settled, viewer } from '../fake-settings.tsx'
import { toasts } from '../nodes/fake-nodes.tsx'
import { choose, chosen, field, flip, loadCall, renderSystem, someSettings, type } from './fake-system.tsx'
import { aPlan, anUpdate } from '../updates/fake-updates.ts'
import { aBuild } from '../../../parts/updates/fake-build.ts'
import SystemSection from './section.tsx'
import { useSystemEdits } from './system-edits.tsx'
import { lockedHint } from './system-form.ts'

/** Replaces the frame's Save button. */
function SaveButton() {
  const { edits, save, discard } = useSystemEdits()
  return (
    <>
      <output aria-label="Edits">{JSON.stringify(edits)}</output>
      <button type="button" onClick={() => save()}>
        Save all
      </button>
      <button type="button" onClick={discard}>
        Drop all
      </button>
    </>
  )
}

const show = (given: Parameters<typeof renderSystem>[1] = {}) =>
  renderSystem(
    <>
      <SystemSection />
      <SaveButton />
    </>,
    given,
  )
const edits = () => JSON.parse(screen.getByRole('status', { name: 'Edits' }).textContent!) as object
const locked = (...fields: string[]) =>
  someSettings({ allowEmbedding: true }, Object.fromEntries(fields.map((name) => [name, true])))
const isOff = (label: string) => screen.getByRole('switch', { name: label }).hasAttribute('data-disabled')
const isClosed = (label: string) =>
  screen.getByRole('combobox', { name: label }).hasAttribute('data-disabled')

beforeEach(() => {
  localStorage.clear()
  toasts()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('[spec 2 §2] the panels of the System section', async () => {
  await show()
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'Network discovery',
    'Appearance',
    'Access from other sites',
    'Version and updates',
    'Backup polling',
    'Metric history',
    'Backup & restore',
  ])
})

test('[spec 2 §6] a viewer sees that administrator access is needed, and nothing is asked for', async () => {
  const { calls } = await show({ status: aStatus({ user: viewer }) })
  expect(screen.getByText('You need administrator access to see and change system settings.')).toBeDefined()
  expect(screen.queryAllByRole('heading', { level: 2 })).toEqual([])
  expect(calls).toEqual([])
})

test('[spec 2 §8] settings that cannot be loaded can be asked for again, without a toast', async () => {
  const { replies } = await show({ replies: { [loadCall]: new Answer(503, { error: 'storage' }) } })
  expect(screen.getByRole('alert').textContent).toBe('Failed to load settingsstorageRetry')
  expect(toasts()).toEqual([])
  replies[loadCall] = someSettings()
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await settled()
  expect(field('Allowed origins (CORS)')).toBeDefined()
})

describe('[spec 2 §2] appearance', () => {
  test('the switch changes the theme here and saves it at once', async () => {
    const { sent } = await show()
    await flip('Dark mode')
    expect(localStorage.getItem('darkMode')).toBe('true')
    expect(sent()).toEqual([{ theme: 'dark' }])
    await flip('Dark mode')
    expect(sent().at(-1)).toEqual({ theme: 'light' })
    expect(edits()).toEqual({})
  })

  test('[spec 2 §6] one that is fixed elsewhere changes in this browser alone', async () => {
    const { sent } = await show({ settings: locked('theme') })
    await flip('Dark mode')
    expect([localStorage.getItem('darkMode'), sent()]).toEqual(['true', []])
    expect(screen.getByText(/^For this browser only/)).toBeDefined()
  })
})

describe('[spec 2 §4] edits', () => {
  test('of every field of the form are kept until they are saved', async () => {
    const { sent } = await show()
    type('Allowed origins (CORS)', 'https://wall.example.com')
    await flip('Allow embedding')
    type('Allowed embed origins', 'https://home.example.com')
    await choose('Update channel', 'Release candidates')
    await flip('Automatic updates')
    await choose('Check interval', 'Every week')
    type('Daily check time', '04:30')
    await flip('Poll backups')
    expect(edits()).toEqual({
      allowedOrigins: 'https://wall.example.com',
      allowEmbedding: true,
      allowedEmbedOrigins: 'https://home.example.com',
      updateChannel: 'rc',
      autoUpdateEnabled: true,
      autoUpdateCheckInterval: 168,
      autoUpdateTime: '04:30',
      backupPollingEnabled: false,
    })
    expect(sent()).toEqual([])
  })

  test('that bring back what is stored are none', async () => {
    await show()
    await flip('Poll backups')
    await flip('Poll backups')
    expect(edits()).toEqual({})
  })

  test('a cleared time is no time', async () => {
    await show()
    type('Daily check time', '')
    expect(edits()).toEqual({})
  })

  test('embed origins are asked for only when embedding is allowed', async () => {
    await show()
    expect(screen.queryByLabelText('Allowed embed origins')).toBeNull()
    await flip('Allow embedding')
    expect(field('Allowed embed origins')).toBeDefined()
  })

  test('what the server objects to is said at the field, until it is edited', async () => {
    const message = '"wall" is not an origin. Use origins such as https://wall.example.com.'
    const refusal = new Answer(400, { error: message, details: { allowedOrigins: message } })
    await show({ replies: { 'POST /api/system/settings/update': refusal } })
    type('Allowed origins (CORS)', 'wall')
    fireEvent.click(screen.getByRole('button', { name: 'Save all' }))
    await settled()
    expect(field('Allowed origins (CORS)').getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByText(message)).toBeDefined()
    expect(toasts()).toEqual([`error: ${message}`])
    type('Allowed origins (CORS)', 'https://wall')
    expect(screen.queryByText(message)).toBeNull()
  })
})

describe('[spec 2 §6] what the environment fixes is read-only, with the reason', () => {
  test.each([
    { name: 'allowedOrigins', isFixed: () => field('Allowed origins (CORS)').disabled },
    { name: 'allowEmbedding', isFixed: () => isOff('Allow embedding') },
    { name: 'allowedEmbedOrigins', isFixed: () => field('Allowed embed origins').disabled },
    { name: 'updateChannel', isFixed: () => isClosed('Update channel') },
    { name: 'autoUpdateEnabled', isFixed: () => isOff('Automatic updates') },
    { name: 'autoUpdateCheckInterval', isFixed: () => isClosed('Check interval') },
    { name: 'autoUpdateTime', isFixed: () => field('Daily check time').disabled },
    { name: 'backupPollingEnabled', isFixed: () => isOff('Poll backups') },
    { name: 'backupPollingInterval', isFixed: () => isClosed('Polling interval') },
    { name: 'historyRawHours', isFixed: () => field('Samples as polled, in hours').disabled },
    { name: 'historyMinuteDays', isFixed: () => field('Minutes, in days').disabled },
    { name: 'historyQuarterHourMonths', isFixed: () => field('Quarter hours, in months').disabled },
    { name: 'historyDayYears', isFixed: () => field('Days, in years').disabled },
    { name: 'discoveryEnabled', isFixed: () => isOff('Discovery') },
    {
      name: 'discoverySubnet',
      isFixed: () => screen.getByRole('radio', { name: 'Auto' }).matches('fieldset:disabled *'),
    },
  ])('$name', async ({ name, isFixed }) => {
    await show({ settings: locked(name) })
    expect(isFixed()).toBe(true)
    expect(screen.getAllByText(lockedHint)).toHaveLength(1)
    cleanup()
    await show({ settings: locked() })
    expect(isFixed()).toBe(false)
    expect(screen.queryByText(lockedHint)).toBeNull()
  })
})

describe('[spec 2 §4] version and updates', () => {
  const fields = () => [
    isClosed('Update channel'),
    isClosed('Check interval'),
    isOff('Automatic updates'),
    field('Daily check time').disabled,
  ]
  const withBuild = (over: Parameters<typeof aBuild>[0]) =>
    show({ replies: { 'GET /api/version': aBuild(over) } })

  test('the build is named', async () => {
    await withBuild({ channel: 'rc', deploymentType: 'proxmoxve' })
    const facts = [...document.querySelectorAll('dl > div')].map(({ textContent }) => textContent)
    expect(facts).toEqual(['Version5.1.0', 'ChannelRelease candidate', 'InstallationProxmox VE container'])
    expect(fields()).toEqual([false, false, false, false])
  })

  test('in Docker nothing of it can be changed, and it says why', async () => {
    await withBuild({ isDocker: true, isSourceBuild: true, deploymentType: 'docker' })
    expect(fields()).toEqual([true, true, true, true])
    expect(screen.getByText('Updates come with a new image')).toBeDefined()
    expect(screen.queryByText('Such a build is not updated from here', { exact: false })).toBeNull()
  })

  test('a source build is not updated from here, and it says so', async () => {
    await withBuild({ isSourceBuild: true, deploymentType: 'source' })
    expect(screen.getByText(/^Such a build is not updated from here/)).toBeDefined()
    expect(fields()).toEqual([false, false, false, false])
  })

  test('[spec 2 §8] a version that cannot be loaded is only logged', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await show({ replies: { 'GET /api/version': new Answer(503) } })
    expect(warn).toHaveBeenCalledTimes(1)
    expect([document.querySelectorAll('dl').length, toasts()]).toEqual([0, []])
  })
})

describe('[spec 2 §2] Check for Updates', () => {
  const call = 'GET /api/updates/check'
  const plan = 'GET /api/updates/plan'
  const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Check for Updates' })
  const none = anUpdate({ available: false, latestVersion: '5.1.0', downloadUrl: '' })
  const check = async (replies: Record<string, unknown>) => {
    const view = await show({ replies: { [plan]: aPlan(), ...replies } })
    await act(async () => button().click())
    await settled()
    return view
  }

  test('[spec 2 §8] up to date', async () => {
    const { calls } = await check({ [call]: none })
    expect(calls.filter((one) => one.call === call).map(({ search }) => search)).toEqual([
      '?channel=stable&force=true',
    ])
    expect(toasts()).toEqual(['success: You are running the latest version.'])
    expect(screen.queryByRole('region', { name: 'Available update' })).toBeNull()
  })

  test('[spec 2 §8] a failure', async () => {
    await check({ [call]: new Answer(503, { error: 'storage' }) })
    expect(toasts()).toEqual(['error: Failed to check for updates'])
  })

  test('a feed that cannot be read is not called up to date', async () => {
    await check({ [call]: { ...none, warning: 'The release feed does not answer.' } })
    expect([toasts(), screen.getByRole('status', { name: '' }).textContent]).toEqual([
      [],
      'The release feed does not answer.',
    ])
  })

  test('an update that is found is shown with the way to it, and kept', async () => {
    await check({ [call]: anUpdate() })
    const found = screen.getByRole('region', { name: 'Available update' })
    expect(found.textContent).toContain('Version 5.2.0 is available')
    expect(screen.getByRole('button', { name: 'Apply Update' })).toBeDefined()
    expect(JSON.parse(localStorage.getItem('pulse-updates')!)).toMatchObject({
      info: { latestVersion: '5.2.0' },
    })
    expect(toasts()).toEqual([])
  })

  test('of a channel that is chosen and not saved yet nothing is kept', async () => {
    const { calls } = await show({ replies: { [call]: anUpdate({ channel: 'rc' }), [plan]: aPlan() } })
    await choose('Update channel', 'Release candidates')
    await act(async () => button().click())
    await settled()
    expect(calls.find((one) => one.call === call)!.search).toBe('?channel=rc&force=true')
    expect(localStorage.getItem('pulse-updates')).toBeNull()
  })

  test('saving another channel forgets what was found for the one before', async () => {
    await check({ [call]: none })
    expect(localStorage.getItem('pulse-updates')).not.toBeNull()
    vi.spyOn(window.location, 'reload').mockImplementation(() => {})
    await choose('Update channel', 'Release candidates')
    fireEvent.click(screen.getByRole('button', { name: 'Save all' }))
    await settled()
    expect(localStorage.getItem('pulse-updates')).toBeNull()
  })

  test.each([
    { build: { isDocker: true }, isOff: true },
    { build: { isSourceBuild: true }, isOff: true },
    { build: { isDevelopment: true }, isOff: false },
    { build: {}, isOff: false },
  ])('[spec 2 §4] is off in Docker and source builds: $build', async ({ build, isOff }) => {
    await show({ replies: { 'GET /api/version': aBuild(build) } })
    expect(button().disabled).toBe(isOff)
  })
})

describe('[spec 2 §5] backup polling', () => {
  const interval = 'Polling interval'
  const minutes = 'Custom interval in minutes'

  test('is on, about every 90 seconds, unless chosen otherwise', async () => {
    await show()
    expect(screen.getByRole('switch', { name: 'Poll backups' }).getAttribute('aria-checked')).toBe('true')
    expect(chosen(interval)).toBe('Default (about every 90 seconds)')
    expect(screen.queryByLabelText(minutes)).toBeNull()
  })

  test('a choice is kept in seconds', async () => {
    await show()
    await choose(interval, '6 hours')
    expect(edits()).toEqual({ backupPollingInterval: 21_600 })
  })

  test('custom minutes are kept in seconds; an hour to begin with', async () => {
    await show()
    await choose(interval, 'Custom')
    expect([field(minutes).value, edits()]).toEqual(['60', { backupPollingInterval: 3_600 }])
    type(minutes, '45')
    expect(edits()).toEqual({ backupPollingInterval: 2_700 })
  })

  test('a typed interval that is also a choice stays a typed one', async () => {
    await show()
    await choose(interval, 'Custom')
    type(minutes, '15')
    expect([chosen(interval), edits()]).toEqual(['Custom', { backupPollingInterval: 900 }])
  })

  test.each(['0', '10081', '1.5', 'abc'])(
    '%s changes nothing, says so, and is gone on leaving',
    async (text) => {
      await show()
      await choose(interval, 'Custom')
      type(minutes, text)
      expect(screen.getByText('Enter whole minutes from 1 to 10080.')).toBeDefined()
      expect(edits()).toEqual({ backupPollingInterval: 3_600 })
      fireEvent.blur(field(minutes))
      expect(field(minutes).value).toBe('60')
      expect(screen.queryByText('Enter whole minutes from 1 to 10080.')).toBeNull()
    },
  )

  test('an interval from elsewhere is a custom one', async () => {
    await show({ settings: someSettings({ backupPollingInterval: 90 }) })
    expect([chosen(interval), field(minutes).value]).toEqual(['Custom', '1.5'])
  })

  test('discarding goes back to the stored choice', async () => {
    await show()
    await choose(interval, 'Custom')
    fireEvent.click(screen.getByRole('button', { name: 'Drop all' }))
    await settled()
    expect(chosen(interval)).toBe('Default (about every 90 seconds)')
    expect(screen.queryByLabelText(minutes)).toBeNull()
  })

  test('switched off, the interval waits', async () => {
    await show()
    await flip('Poll backups')
    expect(isClosed(interval)).toBe(true)
    await act(async () => {})
  })
})
