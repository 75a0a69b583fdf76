// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { Answer, renderSettings } from '../fake-settings.tsx'
import {
  choose,
  confirm,
  file,
  freshBrowser,
  importCall,
  imported,
  importing,
  lost,
  open,
  press,
  preview,
  previewCall,
  send,
  show,
  toasts,
  type,
} from '../fake-transfer.tsx'
import { ImportNotes } from './import-notes.tsx'

freshBrowser()

describe('[spec 2 §5] import', () => {
  test('needs a password, then a file, then JSON', async () => {
    const { calls } = await show()
    await open('Import')
    const alert = () => importing().getByRole('alert').textContent
    await press(importing(), 'Import')
    expect(alert()).toBe('Please enter the password')
    type(importing(), 'Backup password', 'old')
    await press(importing(), 'Import')
    expect(alert()).toBe('Please select a file to import')
    choose('{"data":')
    await press(importing(), 'Import')
    await expect.poll(alert).toBe('Invalid JSON file format')
    expect(calls).toEqual([])
  })

  test('takes .json files', async () => {
    await show()
    await open('Import')
    expect(importing().getByLabelText<HTMLInputElement>('Configuration file').accept).toContain('.json')
  })

  test("sends the file's data field, says so, and reloads after 2 s", async () => {
    const { calls } = await show()
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
    await open('Import')
    choose(JSON.stringify(file))
    type(importing(), 'Backup password', 'old-secret')
    vi.useFakeTimers()
    for (const name of ['Import', 'Import now']) {
      fireEvent.click(importing().getByRole('button', { name }))
      await act(() => vi.advanceTimersByTimeAsync(10))
    }
    const body = { passphrase: 'old-secret', data: file.data }
    expect(calls).toMatchObject([
      { call: previewCall, body },
      { call: importCall, body },
    ])
    expect(toasts()).toEqual(['success: Configuration imported successfully. Reloading...'])
    cleanup()
    vi.advanceTimersByTime(1_980)
    expect(reload).not.toHaveBeenCalled()
    vi.advanceTimersByTime(20)
    expect(reload).toHaveBeenCalledTimes(1)
  })

  test('a double click asks once, previews once and imports once', async () => {
    const { calls } = await show()
    vi.spyOn(window.location, 'reload').mockImplementation(() => {})
    await open('Import')
    choose(JSON.stringify(file))
    type(importing(), 'Backup password', 'old-secret')
    const twice = (name: string) => {
      const button = importing().getByRole('button', { name })
      fireEvent.click(button)
      fireEvent.click(button)
    }
    twice('Import')
    await expect.poll(() => importing().queryByRole('button', { name: 'Import now' })).not.toBeNull()
    fireEvent.click(importing().getByRole('button', { name: 'Import now' }), { detail: 2 })
    expect(calls.map(({ call }) => call)).toEqual([previewCall])
    twice('Import now')
    await expect.poll(toasts).toHaveLength(1)
    expect(calls.map(({ call }) => call)).toEqual([previewCall, importCall])
  })

  test('a JSON file of another kind is for the server to judge', async () => {
    const { calls } = await show({ [previewCall]: new Answer(400, { error: 'This is not an export file.' }) })
    await send('[1]')
    await expect.poll(() => importing().queryByRole('alert')?.textContent).toBe('This is not an export file.')
    expect(calls).toMatchObject([{ body: { data: '[1]' } }])
  })

  test.each([
    { reply: new Answer(400, { error: 'Wrong passphrase.' }), text: 'Wrong passphrase.' },
    { reply: new Answer(500), text: 'Failed to import configuration' },
    { reply: lost(), text: 'Failed to import configuration' },
  ])('[spec 2 §8] a failure reads $text', async ({ reply, text }) => {
    await show({ [previewCall]: reply })
    await send(JSON.stringify(file))
    await expect.poll(() => importing().queryByRole('alert')?.textContent).toBe(text)
    cleanup()
    await show({ [importCall]: reply })
    await send(JSON.stringify(file))
    await confirm()
    await expect.poll(() => importing().queryByRole('alert')?.textContent).toBe(text)
    expect(toasts()).toEqual([])
  })

  test('[S17] shows whom it would let in and what it would ask, and does nothing before the user confirms', async () => {
    const { calls } = await show({
      [previewCall]: {
        ...preview,
        nodes: [
          { name: 'alpha', type: 'pve', host: 'https://alpha:8006', change: 'added' },
          { name: 'beta', type: 'pbs', host: 'https://beta:8007', change: 'kept' },
          { name: 'gone', type: 'pmg', host: 'https://gone:8006', change: 'removed' },
        ],
        accounts: [
          { name: 'mallory', role: 'admin' },
          { name: 'vera', role: 'viewer' },
        ],
        tokens: [{ name: 'script', scopes: ['monitoring:read', 'settings:write'] }],
        providers: [{ issuer: 'https://id.example.com', lets: 'everybody as an administrator' }],
        notes: ['Something was left out.'],
      },
    })
    await send(JSON.stringify(file))
    await expect.poll(() => importing().queryByRole('button', { name: 'Import now' })).not.toBeNull()
    const lines = (group: string) =>
      within(importing().getByRole('group', { name: group }))
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent)
    expect(lines('Administrators')).toEqual(['mallory'])
    expect(lines('Viewers')).toEqual(['vera'])
    expect(lines('API tokens')).toEqual(['script (monitoring:read, settings:write)'])
    expect(lines('Single sign-on')).toEqual(['https://id.example.com lets in everybody as an administrator'])
    expect(lines('Nodes')).toEqual([
      'alpha: PVE at https://alpha:8006, added',
      'gone: PMG at https://gone:8006, removed',
    ])
    expect(lines('Notes')).toEqual(['Something was left out.'])
    expect(importing().getByText('Continue only if you recognize all of them.')).toBeDefined()
    await press(importing(), 'Back')
    expect(importing().getByRole('button', { name: 'Import' })).toBeDefined()
    expect(calls.map(({ call }) => call)).toEqual([previewCall])
  })

  test('[S17] names where alerts would go, and sends there only after a confirmation', async () => {
    vi.spyOn(window.location, 'reload').mockImplementation(() => {})
    const reply = {
      ...preview,
      destinations: [{ kind: 'webhook', name: 'ops', goesTo: 'https://hooks.example.com/********' }],
      allowedHosts: ['10.0.0.5'],
      switchesAlertsOff: true,
    }
    const { calls } = await show({ [previewCall]: reply })
    await send(JSON.stringify(file))
    await expect.poll(() => importing().queryByRole('button', { name: 'Import now' })).not.toBeNull()
    const textOf = (group: string) => importing().getByRole('group', { name: group }).textContent
    expect(textOf('New destinations of alerts')).toContain('ops: https://hooks.example.com/********')
    expect(textOf('Hosts that outgoing calls may reach')).toContain('10.0.0.5')
    expect(importing().getByText('This import switches alerts off')).toBeDefined()
    const box = importing().getByRole<HTMLInputElement>('checkbox', {
      name: 'Send alerts to the new destinations',
    })
    expect(box.checked).toBe(false)
    fireEvent.click(box)
    await press(importing(), 'Import now')
    const body = { passphrase: 'old-secret', data: file.data, confirmDestinations: true }
    await expect.poll(() => calls).toMatchObject([{ call: previewCall }, { call: importCall, body }])
    expect(calls[0]!.body).not.toHaveProperty('confirmDestinations')
  })

  test('[S17] asks about new hosts of outgoing calls where there is no new destination', async () => {
    vi.spyOn(window.location, 'reload').mockImplementation(() => {})
    const { calls } = await show({ [previewCall]: { ...preview, allowedHosts: ['10.0.0.5'] } })
    await send(JSON.stringify(file))
    await expect.poll(() => importing().queryByRole('button', { name: 'Import now' })).not.toBeNull()
    fireEvent.click(importing().getByRole('checkbox', { name: 'Allow calls to the new hosts' }))
    await press(importing(), 'Import now')
    await expect
      .poll(() => calls)
      .toMatchObject([{ call: previewCall }, { call: importCall, body: { confirmDestinations: true } }])
  })

  test('what was left out is shown after the reload, until it is dismissed', async () => {
    vi.spyOn(window.location, 'reload').mockImplementation(() => {})
    await show({ [importCall]: { ...imported, notes: ['The node pve9 is there already.'] } })
    await send(JSON.stringify(file))
    await confirm()
    await expect.poll(toasts).toHaveLength(1)
    cleanup()
    await renderSettings(<ImportNotes />)
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'The node pve9 is there already.',
    ])
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    cleanup()
    await renderSettings(<ImportNotes />)
    expect(screen.queryAllByRole('listitem')).toEqual([])
  })
})
