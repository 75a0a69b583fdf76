// @vitest-environment happy-dom
import type { SecurityStatus } from '@pulse/contract'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Answer, aStatus, renderSettings, settled, viewer } from '../../features/settings/fake-settings.tsx'
import { toastQueue } from '../../ui/toast.ts'
import { ImportNotes } from './import-notes.tsx'
import { TransferButtons } from './transfer-buttons.tsx'

const exportCall = 'POST /api/config/export'
const importCall = 'POST /api/config/import'
const previewCall = 'POST /api/config/import/preview'
const preview = {
  status: 'success',
  summary: '2 nodes',
  nodes: [],
  accounts: [],
  tokens: [],
  providers: [],
  destinations: [],
  allowedHosts: [],
  switchesAlertsOff: false,
  notes: [],
}
const file = { status: 'success', data: 'c2VhbGVk' }
const imported = { status: 'success', message: 'Imported: 2 nodes.', notes: [] }

const off = aStatus({ hasAuthentication: false, disabled: true })
const { user: _user, ...nobody } = aStatus()

const show = (replies: Record<string, unknown> = {}, status: SecurityStatus = aStatus()) =>
  renderSettings(<TransferButtons />, {
    status,
    replies: { [exportCall]: file, [previewCall]: preview, [importCall]: imported, ...replies },
  })

const dialog = (name: string) => within(screen.getByRole('dialog', { name }))
const exporting = () => dialog('Export configuration')
const importing = () => dialog('Import configuration')
const prompting = () => dialog('API token required')
const isOpen = (name: string) => screen.queryByRole('dialog', { name }) !== null

const open = (name: 'Export' | 'Import') =>
  act(async () => void fireEvent.click(screen.getByRole('button', { name })))
const type = (area: ReturnType<typeof dialog>, label: string, value: string) =>
  fireEvent.change(area.getByLabelText(label), { target: { value } })
async function press(area: ReturnType<typeof dialog>, name: string) {
  fireEvent.click(area.getByRole('button', { name }))
  await settled()
}
async function enter(area: ReturnType<typeof dialog>, label: string) {
  fireEvent.submit(area.getByLabelText(label).closest('form')!)
  await settled()
}
const custom = () => act(async () => exporting().getByRole('radio', { name: 'Custom passphrase' }).click())

function choose(text: string) {
  const files = [new File([text], 'pulse-config-2026-11-21.json', { type: 'application/json' })]
  fireEvent.change(importing().getByLabelText('Configuration file'), { target: { files } })
}
async function send(text: string, password = 'old-secret') {
  await open('Import')
  choose(text)
  type(importing(), 'Backup password', password)
  await press(importing(), 'Import')
  await settled()
}
/** Says yes to what is shown. */
async function confirm() {
  await expect.poll(() => importing().queryByRole('button', { name: 'Import now' })).not.toBeNull()
  await press(importing(), 'Import now')
}

function toasts() {
  const shown: string[] = []
  toastQueue.connect(({ kind, text }) => shown.push(`${kind}: ${text}`))()
  return shown
}

let downloads: { name: string; blob: Blob }[]

beforeEach(() => {
  sessionStorage.clear()
  toasts()
  downloads = []
  let made: Blob
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    made = blob as Blob
    return 'blob:1'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    downloads.push({ name: this.download, blob: made })
  })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('[spec 2 §4] export', () => {
  test.each([
    { who: 'who signed in here', status: aStatus(), modes: ['Login password', 'Custom passphrase'] },
    { who: 'while authentication is off', status: off, modes: [] },
    { who: 'who signed in through a proxy', status: aStatus({ proxyAuthUsername: 'ann' }), modes: [] },
    { who: 'who signed in through single sign-on', status: aStatus({ oidcUsername: 'bob' }), modes: [] },
  ])('$who: $modes', async ({ status, modes }) => {
    await show({}, status)
    await open('Export')
    const offered = exporting().queryAllByRole('radio')
    expect(offered.map((radio) => radio.textContent)).toEqual(modes)
    expect(exporting().queryByLabelText('Passphrase') !== null).toBe(modes.length === 0)
  })

  test('with the login password downloads the answer as a dated file', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T23:59:00Z') })
    const { calls } = await show()
    await open('Export')
    type(exporting(), 'Your password', 'my secret')
    await press(exporting(), 'Export')
    expect(calls).toMatchObject([
      { call: exportCall, body: { passphrase: 'my secret', isLoginPassword: true } },
    ])
    expect(calls[0]!.headers).toMatchObject({ 'Content-Type': 'application/json', 'X-CSRF-Token': 'c5rf' })
    expect(downloads.map(({ name }) => name)).toEqual(['pulse-config-2026-11-21.json'])
    expect(JSON.parse(await downloads[0]!.blob.text())).toEqual(file)
    expect(toasts()).toEqual(['success: Configuration exported successfully'])
    expect(isOpen('Export configuration')).toBe(false)
  })

  test('what was wrong with the password leaves with it', async () => {
    await show({ [exportCall]: new Answer(403, { error: 'That is not your password.' }) })
    await open('Export')
    type(exporting(), 'Your password', 'wrong')
    await press(exporting(), 'Export')
    expect(exporting().getByRole('alert').textContent).toBe('That is not your password.')
    fireEvent.click(exporting().getByRole('radio', { name: 'Custom passphrase' }))
    expect(exporting().queryByRole('alert')).toBeNull()
  })

  test('[spec 2 §5] an empty password: Please enter your password', async () => {
    const { calls } = await show()
    await open('Export')
    await press(exporting(), 'Export')
    expect(exporting().getByText('Please enter your password')).toBeDefined()
    expect(calls).toEqual([])
  })

  test('[spec 2 §5] a passphrase needs 12 characters', async () => {
    const { calls } = await show()
    await open('Export')
    await custom()
    const button = () => exporting().getByRole<HTMLButtonElement>('button', { name: 'Export' })
    expect(button().disabled).toBe(true)
    await enter(exporting(), 'Passphrase')
    expect(exporting().getByText('Please enter a passphrase')).toBeDefined()
    type(exporting(), 'Passphrase', 'eleven char')
    expect(button().disabled).toBe(true)
    await enter(exporting(), 'Passphrase')
    expect(exporting().getByText('Passphrase must be at least 12 characters')).toBeDefined()
    expect(calls).toEqual([])
    type(exporting(), 'Passphrase', 'twelve chars')
    await press(exporting(), 'Export')
    expect(calls).toEqual([expect.objectContaining({ body: { passphrase: 'twelve chars' } })])
  })

  test.each([
    {
      reply: new Answer(400, { error: 'The passphrase must have more.' }),
      text: 'The passphrase must have more.',
    },
    { reply: new Answer(403, { error: 'Not for viewers' }), text: 'Not for viewers' },
    { reply: new Answer(429, 'Too many requests'), text: 'Too many requests' },
    { reply: new Answer(500), text: 'Export failed' },
    { reply: lost(), text: 'Export failed' },
  ])('[spec 2 §8] a failure reads $text', async ({ reply, text }) => {
    await show({ [exportCall]: reply })
    await open('Export')
    type(exporting(), 'Your password', 'my secret')
    await press(exporting(), 'Export')
    expect(exporting().getByRole('alert').textContent).toBe(text)
    expect([downloads, toasts()]).toEqual([[], []])
  })
})

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

  test('[S17] shows whom it would let in and what it would ask, and does nothing before somebody says so', async () => {
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
    expect(importing().getByText('Go on only if you know all of them.')).toBeDefined()
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

  test('what was left out is told after the reload, until it is dismissed', async () => {
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

describe.each([
  { name: 'Export', call: exportCall, refused: 'Export requires authentication' },
  { name: 'Import', call: previewCall, refused: 'Import requires authentication' },
] as const)('[spec 2 §8] $name that is refused', ({ name, call, refused }) => {
  const title = `${name} configuration`
  async function attempt() {
    if (name === 'Import') return send(JSON.stringify(file))
    await open(name)
    type(exporting(), 'Your password', 'my secret')
    await press(exporting(), name)
  }
  const alert = () => dialog(title).queryByRole('alert')?.textContent

  test.each([401, 403])('with %s and nobody signed in: requires authentication', async (status) => {
    await show({ [call]: new Answer(status, { error: 'Sign in first' }) }, nobody)
    await attempt()
    await expect.poll(alert).toBe(refused)
    expect(isOpen('API token required')).toBe(false)
  })

  test('to somebody who is signed in, in the words of the server', async () => {
    await show({ [call]: new Answer(403, { error: 'An API token is required' }) }, aStatus({ user: viewer }))
    await attempt()
    await expect.poll(alert).toBe('An API token is required')
    expect(isOpen('API token required')).toBe(false)
  })

  test('for want of a token: asks for it, and tries again with it', async () => {
    const { calls, replies } = await show({ [call]: new Answer(401, 'API token required') }, nobody)
    vi.spyOn(window.location, 'reload').mockImplementation(() => {})
    await attempt()
    await expect.poll(() => isOpen('API token required')).toBe(true)
    await press(prompting(), 'Continue')
    expect(prompting().getByText('Please enter the API token.')).toBeDefined()

    replies[call] = new Answer(401, { error: 'no' })
    type(prompting(), 'API token', ' wrong ')
    await press(prompting(), 'Continue')
    await expect
      .poll(() => prompting().queryByRole('alert')?.textContent)
      .toBe('Invalid or expired API token. Please re-enter.')
    expect(calls.map(({ headers }) => headers['X-API-Token'])).toEqual([undefined, 'wrong'])

    replies[call] = name === 'Export' ? file : preview
    type(prompting(), 'API token', 'right')
    await press(prompting(), 'Continue')
    if (name === 'Import') await confirm()
    await expect.poll(toasts).toHaveLength(1)
    const shown = calls.slice(0, 3).map(({ headers }) => headers['X-API-Token'])
    expect(shown).toEqual([undefined, 'wrong', 'right'])
    expect(calls[2]!.body).toEqual(calls[0]!.body)
    expect(isOpen(title)).toBe(false)
  })
})

function lost() {
  const failure = Promise.reject(new TypeError('Failed to fetch'))
  failure.catch(() => 'only the call that is answered with it minds')
  return failure
}
