// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aRouter } from '../../../ui/router/fake-history.ts'
import { RouterContext } from '../../../ui/router/use-router.ts'
import {
  anAuditRecord,
  anOidcConfig,
  aStatus,
  aToken,
  aUser,
  renderSettings,
  settled,
  viewer,
} from '../fake-settings.tsx'
import SecuritySection from './section.tsx'

const replies = {
  'GET /api/security/tokens': { tokens: [aToken()] },
  'GET /api/security/oidc': anOidcConfig(),
  'GET /api/security/users': { users: [aUser()] },
  'GET /api/security/audit': { events: [anAuditRecord()] },
}

const show = (status = aStatus()) =>
  renderSettings(
    <RouterContext value={aRouter('/settings/security')}>
      <SecuritySection />
    </RouterContext>,
    { status, replies },
  )
const tabs = () => screen.getAllByRole('tab').map(({ textContent }) => textContent)
const panels = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
async function open(tab: string) {
  fireEvent.click(screen.getByRole('tab', { name: tab }))
  await settled()
}

beforeEach(() => window.history.replaceState(null, '', '/settings/security'))
afterEach(cleanup)

describe('[spec 2 §6] the Security section', () => {
  test('shows an administrator everything, a topic at a time', async () => {
    await show()
    expect(tabs()).toEqual(['Overview', 'API tokens', 'Single sign-on', 'Users', 'Audit log'])
    const shown: Record<string, unknown> = { Overview: panels() }
    for (const tab of tabs().slice(1)) {
      await open(tab!)
      shown[tab!] = panels()
    }
    expect(shown).toEqual({
      Overview: ['Security posture', 'Authentication', 'Backup & restore'],
      'API tokens': ['API tokens'],
      'Single sign-on': ['Single sign-on'],
      Users: ['Users'],
      'Audit log': ['Audit log'],
    })
  })

  test('shows a viewer the posture, the own account, and why the rest is not there', async () => {
    const { calls } = await show(aStatus({ user: viewer }))
    expect(tabs()).toEqual(['Overview', 'API tokens', 'Single sign-on'])
    expect(panels()).toEqual(['Security posture', 'Authentication'])
    await open('API tokens')
    expect(panels()).toEqual(['API tokens'])
    await open('Single sign-on')
    expect(panels()).toEqual(['Single sign-on'])
    expect(calls).toEqual([])
  })

  test('loads the state again when it is opened, once', async () => {
    expect((await show()).refreshed()).toBe(1)
  })
})

describe('its topics', () => {
  test('are asked for when they are opened, not before', async () => {
    const { calls } = await show()
    expect(calls).toEqual([])
    await open('Users')
    expect(calls.map(({ call }) => call)).toEqual(['GET /api/security/users'])
  })

  test('stand in the address, so that a link leads to them', async () => {
    window.history.replaceState(null, '', '/settings/security#users')
    await show()
    expect(panels()).toEqual(['Users'])
    await open('Audit log')
    expect(window.location.hash).toBe('#audit')
    window.history.replaceState(null, '', '#tokens')
    await act(async () => void window.dispatchEvent(new Event('hashchange')))
    await settled()
    expect(panels()).toEqual(['API tokens'])
  })

  test.each(['#users', '#nothing', '#%'])(
    'that a viewer has not, like %s, are the first one',
    async (hash) => {
      window.history.replaceState(null, '', `/settings/security${hash}`)
      await show(aStatus({ user: viewer }))
      expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Overview')
    },
  )

  test('keep what was typed while another one is open', async () => {
    await show()
    await open('Single sign-on')
    const issuer = () => screen.getByLabelText<HTMLInputElement>('Issuer URL')
    fireEvent.change(issuer(), { target: { value: 'https://id.example.org' } })
    await open('Users')
    await open('Single sign-on')
    expect(issuer().value).toBe('https://id.example.org')
  })

  test('follow the arrows', async () => {
    await show()
    const first = screen.getByRole('tab', { name: 'Overview' })
    act(() => first.focus())
    fireEvent.keyDown(first, { key: 'ArrowRight' })
    await settled()
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('API tokens')
  })
})
