// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aRouter } from '../../../ui/router/fake-history.ts'
import { RouterContext } from '../../../ui/router/use-router.ts'
import { toastQueue } from '../../../ui/toast.ts'
import {
  Answer,
  anOidcConfig,
  aStatus,
  loadAgain,
  renderSettings,
  settled,
  viewer,
} from '../fake-settings.tsx'
import { OidcPanel } from './oidc-panel.tsx'

const load = 'GET /api/security/oidc'
const save = 'PUT /api/security/oidc'
const config = anOidcConfig({ issuerUrl: 'https://id', clientId: 'pulse', clientSecretSet: true })

const show = (replies: Record<string, unknown> = { [load]: config, [save]: config }) =>
  renderSettings(
    <RouterContext value={aRouter('/settings/security')}>
      <OidcPanel />
    </RouterContext>,
    { replies },
  )

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
async function submit() {
  fireEvent.click(screen.getByRole('button', { name: 'Save single sign-on' }))
  await settled()
}

function toasts() {
  const shown: string[] = []
  toastQueue.connect(({ text }) => shown.push(text))()
  return shown
}

beforeEach(() => void toasts())
afterEach(cleanup)

describe('[spec 2 §3] the fields', () => {
  test('are all there', async () => {
    await show()
    expect(screen.getByRole('switch', { name: 'Enable single sign-on' })).toBeDefined()
    const labels = [...document.querySelectorAll('form label')].map((label) => label.textContent)
    expect(labels).toEqual([
      'Issuer URL',
      'Client ID',
      'Client secret',
      'Clear stored secret',
      'Redirect URL',
      'Logout URL',
      'Scopes',
      'Username claim',
      'Email claim',
      'Groups claim',
      'Allowed groups',
      'Allowed domains',
      'Allowed emails',
      'Administrator groups',
    ])
  })

  test('the default redirect URL is shown', async () => {
    await show()
    expect(field('Redirect URL').placeholder).toBe(config.defaultRedirect)
    expect(screen.getByText(`Register it with the provider. Empty: ${config.defaultRedirect}`)).toBeDefined()
  })

  test('[spec 2 §5] the secret is never shown; blank keeps it', async () => {
    await show()
    expect([field('Client secret').value, field('Client secret').type]).toEqual(['', 'password'])
    expect(screen.getByText('A secret is stored. Leave blank to keep it.')).toBeDefined()
  })
})

describe('[spec 2 §8] saving', () => {
  test('sends everything and says OIDC settings updated', async () => {
    const { calls, refreshed } = await show()
    await act(async () => void fireEvent.click(screen.getByRole('switch', { name: 'Enable single sign-on' })))
    type('Allowed groups', 'ops, home')
    await submit()
    expect(calls.at(-1)).toMatchObject({
      call: save,
      body: { enabled: true, issuerUrl: 'https://id', clientId: 'pulse', allowedGroups: ['ops', 'home'] },
    })
    expect(calls.at(-1)!.body).not.toHaveProperty('clientSecret')
    expect(toasts()).toEqual(['OIDC settings updated'])
    expect(refreshed()).toBe(1)
    expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull()
  })

  test('a failure says so, with the reason, and keeps what was typed', async () => {
    await show({ [load]: config, [save]: new Answer(400, { error: 'The issuer does not answer.' }) })
    type('Client ID', 'typed')
    await submit()
    expect(screen.getByRole('alert').textContent).toBe(
      'Failed to save OIDC settingsThe issuer does not answer.',
    )
    expect(field('Client ID').value).toBe('typed')
  })

  test('[spec 2 §5] without issuer or client ID nothing is sent', async () => {
    const { calls } = await show({ [load]: anOidcConfig() })
    await act(async () => void fireEvent.click(screen.getByRole('switch', { name: 'Enable single sign-on' })))
    await submit()
    expect(screen.getByText('Issuer URL is required')).toBeDefined()
    expect(field('Client ID').getAttribute('aria-invalid')).toBe('true')
    expect(calls.map(({ call }) => call)).toEqual([load])
  })

  test('[S11] another issuer needs the secret again, or none', async () => {
    const { calls } = await show()
    type('Issuer URL', 'https://elsewhere')
    expect(field('Client secret').placeholder).toBe('')
    await submit()
    expect(calls.map(({ call }) => call)).toEqual([load])
    expect(screen.getByText(/Enter the client secret again, or clear it/)).toBeDefined()
    type('Client secret', 'typed')
    await submit()
    expect(calls.at(-1)!.body).toMatchObject({ issuerUrl: 'https://elsewhere', clientSecret: 'typed' })
  })

  test('the stored secret can be cleared', async () => {
    const { calls } = await show()
    type('Client secret', 'typed')
    fireEvent.click(screen.getByRole('checkbox', { name: 'Clear stored secret' }))
    expect(screen.getByRole('status').textContent).toBe('Client secret will be cleared on save')
    expect(field('Client secret').disabled).toBe(true)
    await submit()
    expect(calls.at(-1)!.body).toMatchObject({ clearClientSecret: true })
    expect(calls.at(-1)!.body).not.toHaveProperty('clientSecret')
  })
})

test('edits outlive what is loaded again in the background; the rest follows', async () => {
  const { replies } = await show()
  type('Client ID', 'typed')
  replies[load] = { ...config, clientId: 'other', logoutUrl: 'https://id/logout' }
  await loadAgain()
  expect([field('Client ID').value, field('Logout URL').value]).toEqual(['typed', 'https://id/logout'])
  fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
  expect(field('Client ID').value).toBe('other')
})

test('[spec 2 §8] Failed to load OIDC settings can be retried', async () => {
  const { replies } = await show({ [load]: new Answer(503, { error: 'storage' }) })
  expect(screen.getByRole('alert').textContent).toBe('Failed to load OIDC settingsstorageRetry')
  replies[load] = config
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await settled()
  expect(field('Issuer URL')).toBeDefined()
})

test('[spec 2 §4] what comes from the environment is read-only, and named', async () => {
  await show({
    [load]: { ...config, envOverrides: { issuerUrl: true, clientSecret: true, clientId: false } },
  })
  expect(screen.getByText(/environment variables fix: Issuer URL, Client secret\.$/)).toBeDefined()
  const fields = [...document.querySelectorAll<HTMLInputElement>('form label + div input')]
  expect(fields.map(({ disabled }) => disabled)).toEqual(Array(13).fill(true))
  expect(screen.getByRole('switch', { name: 'Enable single sign-on' }).hasAttribute('data-disabled')).toBe(
    true,
  )
  expect(screen.queryByRole('checkbox')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Save single sign-on' })).toBeNull()
})

test('a viewer sees no settings, and nothing is asked for', async () => {
  const { calls } = await renderSettings(<OidcPanel />, { status: aStatus({ user: viewer }) })
  expect(screen.getByText(/Sign in with an administrator account/)).toBeDefined()
  expect(calls).toEqual([])
})
