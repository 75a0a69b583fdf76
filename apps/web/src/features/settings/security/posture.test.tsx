// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { aStatus, renderSettings, viewer } from '../fake-settings.tsx'
import { PosturePanel } from './posture-panel.tsx'

afterEach(cleanup)

const show = (status: Parameters<typeof aStatus>[0] = {}) =>
  renderSettings(<PosturePanel />, { status: aStatus(status) })
const checks = () => within(screen.getByRole('list', { name: 'Security checks' })).getAllByRole('listitem')

describe('[spec 2 §9] the score', () => {
  test.each([
    { status: {}, text: '5 of 5 Good' },
    { status: { hasHTTPS: false }, text: '4 of 5 Room for improvement' },
    {
      status: { hasHTTPS: false, apiTokenConfigured: false, exportProtected: false },
      text: '2 of 5 Needs attention',
    },
  ])('$text', async ({ status, text }) => {
    await show(status)
    expect(screen.getByRole('region', { name: 'Security posture' }).textContent).toContain(text)
  })

  test('each check says whether it is done and what to do', async () => {
    await show({ hasHTTPS: false })
    expect(checks().map((check) => check.textContent)).toEqual([
      'Authentication DoneUsers and programs must sign in.',
      'Credentials encrypted DoneStored passwords and secrets are encrypted.',
      'HTTPS MissingPut a reverse proxy with a certificate in front of Pulse and add it to the trusted proxies.',
      'API token DoneScripts and agents can sign in without a password.',
      'Export protected DoneOnly signed-in users can export the configuration.',
    ])
  })

  test('for a viewer only what a viewer may see counts', async () => {
    const {
      credentialsEncrypted: _a,
      exportProtected: _b,
      apiTokenConfigured: _c,
      ...visible
    } = aStatus({ user: viewer })
    await renderSettings(<PosturePanel />, { status: visible })
    expect(checks()).toHaveLength(2)
    expect(screen.getByText('2 of 2')).toBeDefined()
  })
})

describe('[facts platform §7.1] what else is known', () => {
  const facts = () =>
    [...document.querySelectorAll('dl > div')].map(({ children }) =>
      [...children].map((one) => one.textContent),
    )

  test('audit log, network, address, newest token', async () => {
    await show()
    expect(facts()).toEqual([
      ['Audit log', 'On'],
      ['Network', 'Private'],
      ['Your address', '192.0.2.5'],
      ['Newest API token', 'ab12cd…ef34'],
    ])
  })

  test('public access is warned of', async () => {
    await show({ publicAccess: true, isPrivateNetwork: false })
    expect(facts()[1]).toEqual(['Network', 'Public'])
    expect(screen.getByText(/You are reaching Pulse from a public address/)).toBeDefined()
  })
})
