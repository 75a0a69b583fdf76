// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest'
import { Answer, aStatus, viewer } from '../fake-settings.tsx'
import {
  confirm,
  dialog,
  exportCall,
  exporting,
  file,
  freshBrowser,
  isOpen,
  signedOut,
  open,
  press,
  preview,
  previewCall,
  prompting,
  send,
  show,
  toasts,
  type,
} from '../fake-transfer.tsx'

freshBrowser()

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

  test.each([401, 403])('with %s and no user signed in: requires authentication', async (status) => {
    await show({ [call]: new Answer(status, { error: 'Sign in first' }) }, signedOut)
    await attempt()
    await expect.poll(alert).toBe(refused)
    expect(isOpen('API token required')).toBe(false)
  })

  test('to a signed-in user, in the words of the server', async () => {
    await show({ [call]: new Answer(403, { error: 'An API token is required' }) }, aStatus({ user: viewer }))
    await attempt()
    await expect.poll(alert).toBe('An API token is required')
    expect(isOpen('API token required')).toBe(false)
  })

  test('without a token: asks for it, and tries again with it', async () => {
    const { calls, replies } = await show({ [call]: new Answer(401, 'API token required') }, signedOut)
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
