// @vitest-environment happy-dom
import type { User } from '@pulse/contract'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { toastQueue } from '../../../ui/toast.ts'
import { Answer, aToken, aUser, renderSettings, settled } from '../fake-settings.tsx'
import { UserPanel } from './user-panel.tsx'
import { UserPasswordDialog } from './user-password-dialog.tsx'

const list = 'GET /api/security/users'
const add = 'POST /api/security/users'
const change = 'PUT /api/security/users/u1'
const remove = 'DELETE /api/security/users/u1'
const lastAdministrator = 'zoe is the last administrator with a password.'

const show = (replies: Record<string, unknown> = {}) =>
  renderSettings(<UserPanel />, { replies: { [list]: { users: [aUser()] }, ...replies } })

async function click(name: string) {
  fireEvent.click(screen.getByRole('button', { name }))
  await settled()
}
const dialog = () => within(screen.getByRole('dialog'))
async function confirm(name: string) {
  fireEvent.click(dialog().getByRole('button', { name }))
  await settled()
}
const bodyOf = (calls: { call: string; body: unknown }[], wanted: string) =>
  calls.find(({ call }) => call === wanted)?.body

function toasts() {
  const shown: string[] = []
  toastQueue.connect(({ text }) => shown.push(text))()
  return shown
}

beforeEach(() => void toasts())
afterEach(cleanup)

describe('the list', () => {
  test('has name, role, source, created and last sign-in', async () => {
    const users = [
      aUser({ name: 'admin', role: 'admin', source: 'environment', lastLoginAt: '2026-01-02T00:00:00Z' }),
      aUser({ id: 'u2', source: 'oidc', name: 'kim@example.org' }),
      aUser({ id: 'u3' }),
    ]
    await show({ [list]: { users } })
    const rows = screen.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent))
    expect(rows[0]).toEqual(['Name', 'Role', 'Source', 'Created', 'Last sign-in', 'Actions'])
    expect(rows.slice(1).map(([name, role, source]) => [name, role, source])).toEqual([
      ['admin', 'Administrator', 'Environment'],
      ['kim@example.org', 'Viewer', 'Single sign-on'],
      ['zoe', 'Viewer', 'Local'],
    ])
    expect(rows[3]![4]).toBe('Never')
    expect(rows.slice(1).map((row) => row[5])).toEqual([
      'Fixed by PULSE_AUTH_USER and PULSE_AUTH_PASS',
      'Remove',
      'RolePasswordRemove',
    ])
  })

  test('an account of pulse.yaml says so and offers nothing', async () => {
    await show({ [list]: { users: [aUser({ name: 'declared', managed: true })] } })
    const row = screen.getByRole('row', { name: /declared/ })
    expect(row.textContent).toContain('pulse.yaml')
    expect(row.textContent).toContain('Fixed by pulse.yaml')
    expect(within(row).queryByRole('button')).toBeNull()
  })

  test('a failure can be retried', async () => {
    await show({ [list]: new Answer(500, { error: 'x' }) })
    expect(screen.getByRole('alert').textContent).toBe('Failed to load usersxRetry')
  })
})

describe('adding', () => {
  const name = (value: string) => fireEvent.change(dialog().getByLabelText('Name'), { target: { value } })

  test('with a generated password, shown once', async () => {
    const { calls } = await show({ [add]: new Answer(201, aUser({ name: 'eve' })) })
    await click('Add user')
    name(' eve ')
    await confirm('Add user')
    const body = bodyOf(calls, add) as { password: string }
    expect(body).toEqual({ name: 'eve', role: 'viewer', password: expect.stringMatching(/^[\w-]{16}$/) })
    expect(dialog().getByLabelText<HTMLInputElement>('Password').value).toBe(body.password)
    await confirm('Done')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(calls.filter(({ call }) => call === list)).toHaveLength(2)
  })

  test('stays open until the answer: a password that was made is not lost by Escape, nor asked for twice', async () => {
    let answer = (_reply: unknown) => {}
    const { calls } = await show({ [add]: new Promise((resolve) => (answer = resolve)) })
    await click('Add user')
    name('eve')
    const button = dialog().getByRole('button', { name: 'Add user' })
    fireEvent.click(button)
    fireEvent.click(button)
    await waitFor(() => dialog().getByRole('button', { name: 'Adding...' }))
    fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
    answer(new Answer(201, aUser({ name: 'eve' })))
    await settled()
    expect(calls.filter(({ call }) => call === add)).toHaveLength(1)
    expect(dialog().getByText('The password of eve is shown only now. Hand it over safely.')).toBeDefined()
  })

  test('with a typed password and the role of an administrator', async () => {
    const { calls } = await show({ [add]: new Answer(201, aUser()) })
    await click('Add user')
    name('eve')
    fireEvent.click(dialog().getByRole('radio', { name: 'Administrator' }))
    fireEvent.click(dialog().getByRole('radio', { name: 'Type' }))
    fireEvent.change(dialog().getByLabelText('New password'), { target: { value: 'long enough' } })
    await confirm('Add user')
    expect(bodyOf(calls, add)).toEqual({ name: 'eve', role: 'admin', password: 'long enough' })
  })

  test('asks for a name and for 8 characters', async () => {
    const { calls } = await show()
    await click('Add user')
    fireEvent.click(dialog().getByRole('radio', { name: 'Type' }))
    fireEvent.change(dialog().getByLabelText('New password'), { target: { value: '1234567' } })
    await confirm('Add user')
    expect(dialog().getByText('Name is required')).toBeDefined()
    expect(dialog().getByText('Password must be at least 8 characters')).toBeDefined()
    expect(bodyOf(calls, add)).toBeUndefined()
  })

  test('what was wrong with a typed password leaves with it, and so does a refusal', async () => {
    await show({ [add]: new Answer(409, { error: 'A user named "eve" exists already.' }) })
    await click('Add user')
    name('eve')
    fireEvent.click(dialog().getByRole('radio', { name: 'Type' }))
    await confirm('Add user')
    fireEvent.click(dialog().getByRole('radio', { name: 'Generate' }))
    fireEvent.click(dialog().getByRole('radio', { name: 'Type' }))
    expect(dialog().queryByText('Password must be at least 8 characters')).toBeNull()
    fireEvent.change(dialog().getByLabelText('New password'), { target: { value: 'long enough' } })
    await confirm('Add user')
    expect(dialog().getByRole('alert')).toBeDefined()
    fireEvent.click(dialog().getByRole('radio', { name: 'Generate' }))
    expect(dialog().queryByRole('alert')).toBeNull()
  })

  test('a refusal shows the words of the server', async () => {
    await show({ [add]: new Answer(409, { error: 'A user named "eve" exists already.' }) })
    await click('Add user')
    name('eve')
    await confirm('Add user')
    expect(dialog().getByRole('alert').textContent).toBe(
      'Failed to add userA user named "eve" exists already.',
    )
  })
})

describe('changing', () => {
  test('the role', async () => {
    const { calls, refreshed } = await show({ [change]: aUser({ role: 'admin' }) })
    await click('Change role of zoe')
    expect(dialog().getByRole<HTMLButtonElement>('button', { name: 'Change role' }).disabled).toBe(true)
    fireEvent.click(dialog().getByRole('radio', { name: 'Administrator' }))
    await confirm('Change role')
    expect(bodyOf(calls, change)).toEqual({ role: 'admin' })
    expect(toasts()).toEqual(['zoe is now administrator'])
    expect(refreshed()).toBe(1)
  })

  test('the password, which is shown once', async () => {
    const { calls } = await show({ [change]: aUser() })
    await click('Set password of zoe')
    await confirm('Set password')
    const body = bodyOf(calls, change) as { password: string }
    expect(dialog().getByLabelText<HTMLInputElement>('Password').value).toBe(body.password)
    expect(dialog().getByText('The password of zoe is shown only now. Hand it over safely.')).toBeDefined()
    fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
    expect(screen.getByRole('dialog')).toBeDefined()
    await confirm('Done')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('a dialog stays until its call is answered, and what the answer brings belongs to that user', async () => {
    let answer = (_reply: unknown) => {}
    await show({
      [list]: { users: [aUser(), aUser({ id: 'u2', name: 'bob' })] },
      [change]: new Promise((resolve) => (answer = resolve)),
    })
    await click('Set password of zoe')
    fireEvent.click(dialog().getByRole('button', { name: 'Set password' }))
    await waitFor(() => dialog().getByRole('button', { name: 'Saving...' }))
    expect(dialog().getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(true)
    fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
    answer(aUser())
    await settled()
    expect(dialog().getByText('The password of zoe is shown only now. Hand it over safely.')).toBeDefined()
    await confirm('Done')
    await click('Set password of bob')
    expect(dialog().getByRole('button', { name: 'Set password' })).toBeDefined()
  })

  test('a password that was set is never shown as that of another user', async () => {
    let answer = (_reply: unknown) => {}
    let turnTo = (_user: User) => {}
    function Page() {
      const [user, setUser] = useState(aUser())
      turnTo = setUser
      return <UserPasswordDialog user={user} onClose={() => {}} />
    }
    await renderSettings(<Page />, { replies: { [change]: new Promise((resolve) => (answer = resolve)) } })
    fireEvent.click(dialog().getByRole('button', { name: 'Set password' }))
    act(() => turnTo(aUser({ id: 'u2', name: 'bob' })))
    answer(aUser())
    await settled()
    expect(dialog().queryByText(/is shown only now/)).toBeNull()
    expect(dialog().getByRole('button', { name: 'Set password' })).toBeDefined()
  })

  test('the last administrator stays one: the server says so', async () => {
    await show({
      [list]: { users: [aUser({ role: 'admin' })] },
      [change]: new Answer(409, { error: lastAdministrator, code: 'last_administrator' }),
    })
    await click('Change role of zoe')
    fireEvent.click(dialog().getByRole('radio', { name: 'Viewer' }))
    await confirm('Change role')
    expect(dialog().getByRole('alert').textContent).toBe(`Failed to change role${lastAdministrator}`)
  })
})

describe('removing', () => {
  test('asks first', async () => {
    const { calls } = await show({
      [remove]: { success: true, message: '', tokens: { ended: [], kept: [] } },
    })
    await click('Remove zoe')
    expect(dialog().getByText(/can no longer sign in/)).toBeDefined()
    expect(calls.map(({ call }) => call)).toEqual([list])
    await confirm('Remove user')
    expect(calls.map(({ call }) => call)).toEqual([list, remove, list])
    expect(toasts()).toEqual(['User zoe removed'])
  })

  test('the last administrator stays: the server says so', async () => {
    await show({ [remove]: new Answer(409, { error: lastAdministrator, code: 'last_administrator' }) })
    await click('Remove zoe')
    await confirm('Remove user')
    expect(dialog().getByRole('alert').textContent).toBe(`Failed to remove user${lastAdministrator}`)
  })
})

describe('[S3] the API tokens of an administrator', () => {
  const tokens = 'GET /api/security/tokens'
  const administrator = aUser({ role: 'admin' })
  const replies = {
    [list]: { users: [administrator] },
    [tokens]: {
      tokens: [
        aToken({ name: 'grafana', madeBy: { id: 'user:u1', name: 'zoe' } }),
        aToken({ id: 't2', name: 'of another', madeBy: { id: 'user:u2', name: 'eve' } }),
        aToken({ id: 't3', name: 'old' }),
      ],
    },
    [remove]: { success: true, message: '', tokens: { ended: [], kept: [] } },
    [change]: { ...administrator, role: 'viewer' },
  }
  const listed = () => [...dialog().getByRole('list').children].map((item) => item.textContent)

  test('are listed before the user is removed, and end', async () => {
    const { calls } = await show(replies)
    await click('Remove zoe')
    expect(listed()).toEqual(['grafana ab12cd…ef34'])
    expect(dialog().getByText('These API tokens of the user will be revoked:')).toBeDefined()
    expect(dialog().getByText(/The maker of one API token is unknown/)).toBeDefined()
    await confirm('Remove user')
    expect(calls.find(({ call }) => call === remove)!.search).toBe('?tokens=end')
  })

  test('are taken over when the one who removes the user says so', async () => {
    const { calls } = await show(replies)
    await click('Remove zoe')
    fireEvent.click(dialog().getByRole('checkbox', { name: 'Keep them as mine' }))
    await confirm('Remove user')
    expect(calls.find(({ call }) => call === remove)!.search).toBe('?tokens=keep')
  })

  test('are listed when the role is taken away, and the choice goes along', async () => {
    const { calls } = await show(replies)
    await click('Change role of zoe')
    expect(dialog().queryByRole('list')).toBeNull()
    fireEvent.click(dialog().getByRole('radio', { name: 'Viewer' }))
    await settled()
    expect(listed()).toEqual(['grafana ab12cd…ef34'])
    fireEvent.click(dialog().getByRole('checkbox', { name: 'Keep them as mine' }))
    await confirm('Change role')
    expect(bodyOf(calls, change)).toEqual({ role: 'viewer', tokens: 'keep' })
  })
})
