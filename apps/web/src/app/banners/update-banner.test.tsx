// @vitest-environment happy-dom
import { getUpdateCheck, getUpdatePlan, postUpdateApply } from '@pulse/contract'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { updatesKey } from '../../parts/updates/known-update.ts'
import { aBuild } from '../../parts/updates/fake-build.ts'
import { admin, aPlan, anUpdate, inFreshBrowsers, secured, showBanners, viewer } from './fake-banners.tsx'

inFreshBrowsers()

const banner = () => screen.queryByRole('region', { name: 'Update available' })
const button = (name: string) => screen.queryByRole('button', { name })
const press = (name: string) => act(async () => void fireEvent.click(button(name)!))
const offering = (over: Parameters<typeof anUpdate>[0] = {}, plan: Parameters<typeof aPlan>[0] = {}) => ({
  [getUpdateCheck.path]: anUpdate(over),
  [getUpdatePlan.path]: aPlan(plan),
})
const confirmDialog = () => screen.findByRole('dialog', { name: 'Confirm Update' })
const understood = 'I understand that Pulse will be temporarily unavailable during the update process.'

describe('[spec 1 §4] after the version the update is checked', () => {
  test('appears once an update is known and the first data are there; the dot is shown too', async () => {
    const { asked, showData, found } = await showBanners({ hasData: false, replies: offering() })
    expect(asked(getUpdateCheck.path)).toEqual([])
    await showData()
    expect(asked(getUpdateCheck.path)).toEqual([{ path: getUpdateCheck.path }])
    expect(found.at(-1)).toBe(true)
    expect(JSON.parse(localStorage.getItem(updatesKey)!)).toMatchObject({ info: { latestVersion: '5.2.0' } })
  })

  test('not before the version is known, not for builds without updates, not for viewers', async () => {
    for (const options of [
      { version: undefined },
      { version: aBuild({ isDocker: true }) },
      { status: { ...secured, user: viewer } },
    ]) {
      const { asked } = await showBanners({ replies: offering(), ...options })
      expect(asked(getUpdateCheck.path)).toEqual([])
      expect(banner()).toBeNull()
      cleanup()
    }
  })

  test('[spec 2 §4] a check within 24 hours is shown without another one', async () => {
    localStorage.setItem(updatesKey, JSON.stringify({ lastCheck: Date.now() - 1_000, info: anUpdate() }))
    const { asked } = await showBanners()
    expect(asked(getUpdateCheck.path)).toEqual([])
    expect(banner()).not.toBeNull()
  })

  test('a check that fails is only logged', async () => {
    await showBanners({ replies: { [getUpdateCheck.path]: new Error('away') } })
    expect(console.warn).toHaveBeenCalledTimes(1)
    expect(banner()).toBeNull()
  })
})

describe('[spec 3 §4] the update banner', () => {
  test('names the version; a release candidate is called one', async () => {
    await showBanners({ replies: offering() })
    expect(screen.getByRole('status').textContent).toBe('Update available: 5.2.0')
    expect(banner()!.textContent).toContain('You are running 5.1.0.')
    cleanup()
    localStorage.clear()
    await showBanners({ replies: offering({ latestVersion: '5.2.0-rc.1', isPrerelease: true }) })
    expect(screen.getByRole('status').textContent).toBe('Update available: 5.2.0-rc.1 Release candidate')
  })

  test('expands to the notes and requirements of the update', async () => {
    await showBanners({ replies: offering() })
    expect(screen.queryByRole('region', { name: 'Release notes' })).toBeNull()
    await press('Show details')
    const notes = await screen.findByRole('region', { name: 'Release notes' })
    expect(within(notes).getByRole('listitem').textContent).toBe('faster lists')
    expect(banner()!.textContent).toContain('Estimated time2-5 minutes')
    expect(button('Hide details')!.getAttribute('aria-expanded')).toBe('true')
    await press('Hide details')
    expect(screen.queryByRole('region', { name: 'Release notes' })).toBeNull()
  })

  test('without automatic installation it shows the commands instead of Apply Update', async () => {
    const instructions = ['sudo sh install.sh --from https://releases.example.com/v5.2.0']
    await showBanners({ replies: offering({}, { canAutoUpdate: false, instructions }) })
    expect(button('Apply Update')).toBeNull()
    await press('Show details')
    const step = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Step 1' })
    expect(step.value).toBe('sudo sh install.sh --from https://releases.example.com/v5.2.0')
  })

  test('once dismissed it stays hidden until a reload; the dot stays', async () => {
    const { found } = await showBanners({ replies: offering() })
    await press('Dismiss: Update available')
    expect(banner()).toBeNull()
    expect(found.at(-1)).toBe(true)
    cleanup()
    await showBanners({ replies: offering() })
    expect(banner()).not.toBeNull()
  })

  test('[spec 2 §4] dismissed for this version it appears again with the next one', async () => {
    await showBanners({ replies: offering() })
    await press('Dismiss this version')
    expect(banner()).toBeNull()
    expect(JSON.parse(localStorage.getItem('pulse-updates')!)).toMatchObject({ dismissedVersion: '5.2.0' })
    cleanup()
    await showBanners({ replies: offering() })
    expect(banner()).toBeNull()
    cleanup()
    const newer = aBuild({ updateAvailable: true, latestVersion: '5.3.0' })
    await showBanners({ version: newer, replies: offering({ latestVersion: '5.3.0' }) })
    expect(banner()).not.toBeNull()
  })

  test('[spec 3 §4] an update that another user began is shown with its last status', async () => {
    const { live } = await showBanners()
    const data = { status: 'applying', progress: 80, message: 'Switching', updatedAt: '' } as const
    act(() => live.events.emit({ type: 'update:progress', data }))
    const shown = screen.getByRole('region', { name: 'Update in progress' })
    expect(shown.textContent).toContain('Switching')
    const ended = { ...data, status: 'completed', message: '5.2.0 runs' } as const
    act(() => live.events.emit({ type: 'update:progress', data: ended }))
    expect(screen.queryByRole('region', { name: 'Update in progress' })).toBeNull()
    // it runs the previous version of the program
    expect(screen.getByRole('region', { name: 'Pulse was updated' }).textContent).toContain('5.2.0 runs')
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
    await press('Reload Page')
    expect(reload).toHaveBeenCalledTimes(1)
  })

  test('after a reconnect the status is requested', async () => {
    const status = {
      status: 'error',
      progress: 100,
      message: '5.1.0 keeps running',
      error: 'x',
      updatedAt: '',
    }
    const { live, asked } = await showBanners({ replies: { '/api/updates/status': status } })
    const data = { status: 'restarting', progress: 95, message: 'Restarting', updatedAt: '' } as const
    act(() => live.events.emit({ type: 'update:progress', data }))
    await act(async () => live.connection.set({ status: 'reconnecting' }))
    expect(screen.getByRole('region', { name: 'Update in progress' })).toBeDefined()
    await act(async () => live.connection.set({ status: 'connected' }))
    expect(asked('/api/updates/status')).toHaveLength(1)
    expect(screen.queryByRole('region', { name: 'Update in progress' })).toBeNull()
  })
})

describe('[spec 3 §4] Apply Update', () => {
  test('[spec 3 §5] asks first; it starts only once the checkbox is ticked', async () => {
    const { asked } = await showBanners({
      replies: { ...offering(), [postUpdateApply.path]: { status: 'started', message: '' } },
    })
    await press('Apply Update')
    const dialog = within(await confirmDialog())
    const start = dialog.getByRole<HTMLButtonElement>('button', { name: 'Start Update' })
    expect(start.disabled).toBe(true)
    fireEvent.click(dialog.getByRole('checkbox', { name: understood }))
    expect(start.disabled).toBe(false)
    expect(asked(postUpdateApply.path)).toEqual([])
  })

  test('calls apply with the download address, and the progress dialog replaces the question', async () => {
    const { asked } = await showBanners({
      replies: {
        ...offering(),
        [postUpdateApply.path]: { status: 'started', message: '' },
        '/api/updates/status': {
          status: 'downloading',
          progress: 10,
          message: 'Downloading 5.2.0',
          updatedAt: '',
        },
      },
    })
    await press('Apply Update')
    const dialog = within(await confirmDialog())
    fireEvent.click(dialog.getByRole('checkbox', { name: understood }))
    await act(async () => void fireEvent.click(dialog.getByRole('button', { name: 'Start Update' })))
    expect(asked(postUpdateApply.path)).toEqual([
      {
        path: postUpdateApply.path,
        body: { downloadUrl: anUpdate().downloadUrl, version: '5.2.0', channel: 'stable' },
      },
    ])
    const progress = await screen.findByRole('dialog', { name: 'Update Pulse' })
    expect(screen.queryByRole('dialog', { name: 'Confirm Update' })).toBeNull()
    expect(within(progress).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('10')
    expect(within(progress).getByRole('status').textContent).toBe('Updating...Downloading 5.2.0')
    expect(within(progress).queryByRole('button')).toBeNull()
  })

  test('[spec 3 §8] an update that cannot be started shows the error and can be retried', async () => {
    await showBanners({
      replies: { ...offering(), [postUpdateApply.path]: new Error('An update is under way.') },
    })
    await press('Apply Update')
    const dialog = within(await confirmDialog())
    fireEvent.click(dialog.getByRole('checkbox', { name: understood }))
    await act(async () => void fireEvent.click(dialog.getByRole('button', { name: 'Start Update' })))
    expect(dialog.getByRole('alert').textContent).toBe(
      'Failed to start update. Please try again.An update is under way.',
    )
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Start Update' }).disabled).toBe(false)
  })
})

describe('[spec 3 §4] the finished progress dialog', () => {
  const finish = async (ended: { status: string; message: string; error?: string }) => {
    await showBanners({
      replies: {
        ...offering(),
        [postUpdateApply.path]: { status: 'started', message: '' },
        '/api/updates/status': { progress: 100, updatedAt: '', ...ended },
      },
    })
    await press('Apply Update')
    const dialog = within(await confirmDialog())
    fireEvent.click(dialog.getByRole('checkbox', { name: understood }))
    await act(async () => void fireEvent.click(dialog.getByRole('button', { name: 'Start Update' })))
    return within(await screen.findByRole('dialog', { name: 'Update Pulse' }))
  }
  const buttons = (dialog: Awaited<ReturnType<typeof finish>>) =>
    dialog.getAllByRole('button').map(({ textContent }) => textContent)

  test('offers Close and View History on success', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
    const dialog = await finish({ status: 'completed', message: '5.2.0 runs' })
    expect(dialog.getByRole('status').textContent).toBe('Update Complete5.2.0 runs')
    expect(buttons(dialog)).toEqual(['Close', 'View History'])
    fireEvent.click(dialog.getByRole('button', { name: 'View History' }))
    expect(assign.mock.calls).toEqual([['/settings/updates']])
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
    fireEvent.click(dialog.getByRole('button', { name: 'Close' }))
    expect(reload).toHaveBeenCalledTimes(1)
  })

  test('[spec 3 §8] shows Update Failed with the error detail, Close and Retry, which reloads the page', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
    const dialog = await finish({
      status: 'error',
      message: '5.1.0 keeps running',
      error: 'The signature does not fit.',
    })
    expect(dialog.getByRole('alert').textContent).toBe(
      'Update FailedThe signature does not fit.5.1.0 keeps running',
    )
    expect(buttons(dialog)).toEqual(['Close', 'Retry'])
    fireEvent.click(dialog.getByRole('button', { name: 'Retry' }))
    expect(reload).toHaveBeenCalledTimes(1)
    await act(async () => void fireEvent.click(dialog.getByRole('button', { name: 'Close' })))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(button('Apply Update')).not.toBeNull()
  })
})

test.each([admin, viewer])(
  'the $role is notified of another server version after a reconnect',
  async (user) => {
    const { runs } = await showBanners({ status: { ...secured, user } })
    const updated = () => screen.queryByRole('region', { name: 'Pulse was updated' })
    await runs(aBuild())
    expect(updated()).toBeNull()
    await runs(aBuild({ version: '5.2.0' }))
    expect(updated()!.textContent).toContain('This page still runs version 5.1.0.')
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
    await press('Reload Page')
    expect(reload).toHaveBeenCalledTimes(1)
  },
)
