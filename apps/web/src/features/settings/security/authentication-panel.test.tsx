// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { toastQueue } from '../../../ui/toast.ts'
import { Answer, aStatus, renderSettings, viewer } from '../fake-settings.tsx'
import { AuthenticationPanel } from './authentication-panel.tsx'

const call = 'POST /api/security/change-password'
const done = { success: true, message: 'ok' }

const button = (name: string) => screen.queryByRole('button', { name })
const click = (name: string) => act(async () => void fireEvent.click(button(name)!))

async function open(reply: unknown = done, status: Parameters<typeof aStatus>[0] = {}) {
  const view = await renderSettings(<AuthenticationPanel />, {
    status: aStatus(status),
    replies: { [call]: reply },
  })
  await click('Change password')
  return view
}

const form = () => within(screen.getByRole('dialog', { name: 'Change password' }))
function type(current: string, next: string, confirmed = next) {
  const labels = ['Current password', 'New password', 'Confirm new password']
  for (const [index, value] of [current, next, confirmed].entries()) {
    fireEvent.change(form().getByLabelText(labels[index]!), { target: { value } })
  }
}
const submit = () =>
  act(async () => void fireEvent.click(form().getByRole('button', { name: 'Change password' })))

function toasts() {
  const shown: string[] = []
  toastQueue.connect(({ text }) => shown.push(text))()
  return shown
}

beforeEach(() => void toasts())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('[spec 2 §8] changing the password', () => {
  test.each([
    { when: 'one is empty', entries: ['', 'new-secret', 'new-secret'], text: 'All fields are required' },
    { when: 'all are empty', entries: ['', '', ''], text: 'All fields are required' },
    { when: 'they differ', entries: ['old', 'new-secret', 'new-secres'], text: 'New passwords do not match' },
    {
      when: 'it has 7 characters',
      entries: ['old', '1234567', '1234567'],
      text: 'Password must be at least 8 characters',
    },
  ])('$when: $text, and nothing is sent', async ({ entries: [current, next, confirmed], text }) => {
    const { calls } = await open()
    type(current!, next!, confirmed)
    await submit()
    expect(form().getByRole('alert').textContent).toBe(text)
    expect(calls).toEqual([])
  })

  test.each([
    { reply: new Answer(401, { error: 'no' }), text: 'Current password is incorrect' },
    { reply: new Answer(400, { error: 'Too simple' }), text: 'Too simple' },
    { reply: new Answer(409, 'Set by the environment'), text: 'Set by the environment' },
    { reply: new Answer(500), text: 'Failed to change password' },
  ])('a $reply.status reads $text', async ({ reply, text }) => {
    await open(reply)
    type('old-secret', 'new-secret')
    await submit()
    expect(form().getByRole('alert').textContent).toBe(text)
  })

  test('[spec 2 §6] goes with basic authentication and the CSRF header', async () => {
    const { calls } = await open()
    type('old-secret', 'new-secret')
    await submit()
    expect(calls).toMatchObject([
      { call, body: { currentPassword: 'old-secret', newPassword: 'new-secret' } },
    ])
    const { Authorization, 'X-CSRF-Token': csrf } = calls[0]!.headers
    expect(Buffer.from(Authorization!.replace('Basic ', ''), 'base64').toString()).toBe('admin:old-secret')
    expect(csrf).toBe('c5rf')
  })

  test('[spec 2 §6] the user name is admin when none is known', async () => {
    const { user: _user, authUsername: _name, ...status } = aStatus()
    const { calls } = await renderSettings(<AuthenticationPanel />, { status, replies: { [call]: done } })
    await click('Change password')
    type('old-secret', 'new-secret')
    await submit()
    expect(Buffer.from(calls[0]!.headers['Authorization']!.slice(6), 'base64').toString()).toMatch(/^admin:/)
  })

  test('success says so and reloads after 2 s, even when the dialog has gone', async () => {
    const { unmount } = await open()
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
    vi.useFakeTimers()
    type('old-secret', 'new-secret')
    await submit()
    await act(() => vi.advanceTimersByTimeAsync(0))
    expect(toasts()).toEqual(['Password changed successfully. Please log in with your new password.'])
    unmount()
    vi.advanceTimersByTime(1_999)
    expect(reload).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(reload).toHaveBeenCalledTimes(1)
  })
})

describe('[spec 2 §2] the authentication block', () => {
  const show = (status: Parameters<typeof aStatus>[0] = {}) =>
    renderSettings(<AuthenticationPanel />, { status: aStatus(status) })

  test('shows the current user and the role', async () => {
    await show()
    expect(screen.getByText('Current user').nextSibling!.textContent).toBe('adminAdministrator')
  })

  test('administrators rotate credentials', async () => {
    await show()
    await click('Rotate credentials')
    const dialog = within(screen.getByRole('dialog', { name: 'Rotate credentials' }))
    expect(dialog.getByLabelText<HTMLInputElement>('Username').value).toBe('admin')
  })

  test('viewers change their own password and nothing else', async () => {
    await show({ user: viewer })
    expect(screen.getByText('Current user').nextSibling!.textContent).toBe('zoeViewer')
    expect([button('Change password') !== null, button('Rotate credentials')]).toEqual([true, null])
  })

  test.each([
    { status: { authFromEnvironment: true }, text: /PULSE_AUTH_USER and PULSE_AUTH_PASS/ },
    { status: { proxyAuthUsername: 'lee' }, text: /signed in through your proxy/ },
    { status: { oidcUsername: 'kim' }, text: /signed in through single sign-on/ },
  ])('what is kept elsewhere cannot be changed here: $text', async ({ status, text }) => {
    await show(status)
    expect(screen.getByText(text)).toBeDefined()
    expect([button('Change password'), button('Rotate credentials')]).toEqual([null, null])
  })

  test('is not there while there is no authentication', async () => {
    const { container } = await show({ hasAuthentication: false })
    expect(container.textContent).toBe('')
  })
})
