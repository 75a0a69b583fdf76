// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import {
  anAuditRecord,
  anOidcConfig,
  aStatus,
  aToken,
  aUser,
  renderSettings,
  viewer,
} from '../fake-settings.tsx'
import SecuritySection from './section.tsx'

const replies = {
  'GET /api/security/tokens': { tokens: [aToken()] },
  'GET /api/security/oidc': anOidcConfig(),
  'GET /api/security/users': { users: [aUser()] },
  'GET /api/security/audit': { events: [anAuditRecord()] },
}

const show = (status = aStatus()) => renderSettings(<SecuritySection />, { status, replies })
const panels = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)

afterEach(cleanup)

describe('[spec 2 §6] the Security section', () => {
  test('shows an administrator everything', async () => {
    await show()
    expect(panels()).toEqual([
      'Security posture',
      'Authentication',
      'API tokens',
      'Single sign-on',
      'Users',
      'Backup & restore',
      'Audit log',
    ])
  })

  test('shows a viewer the posture, the own account, and why the rest is not there', async () => {
    const { calls } = await show(aStatus({ user: viewer }))
    expect(panels()).toEqual(['Security posture', 'Authentication', 'API tokens', 'Single sign-on'])
    expect(calls).toEqual([])
  })

  test('asks for the state anew when it is opened, once', async () => {
    expect((await show()).refreshed()).toBe(1)
  })
})
