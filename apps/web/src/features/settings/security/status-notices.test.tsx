// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { aStatus, renderSettings } from '../fake-settings.tsx'
import { restartSteps, StatusNotices } from './status-notices.tsx'

afterEach(cleanup)

const show = (status: Parameters<typeof aStatus>[0] = {}) =>
  renderSettings(<StatusNotices />, { status: aStatus(status) })

test('a set-up server has nothing to say', async () => {
  const { container } = await show()
  expect(container.textContent).toBe('')
})

describe('[spec 2 §2] authentication is disabled', () => {
  const off = { disabled: true, hasAuthentication: false, message: 'Switched off by DISABLE_AUTH.' }
  const setup = () => act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Setup' })))

  test('by the environment: Setup explains how to take it back', async () => {
    await show(off)
    expect(screen.getByText('Authentication is disabled')).toBeDefined()
    expect(screen.getByText('Switched off by DISABLE_AUTH.')).toBeDefined()
    await setup()
    const dialog = screen.getByRole('dialog', { name: 'Turn authentication on' })
    expect(dialog.textContent).toContain('Remove the variable DISABLE_AUTH')
    expect(screen.getByLabelText<HTMLInputElement>('Command').value).toBe('docker restart pulse')
  })

  test('because nothing is set up: Setup opens the first-time setup', async () => {
    await show({ hasAuthentication: false })
    await setup()
    expect(screen.getByRole('dialog', { name: 'Set up sign-in' })).toBeDefined()
    expect(screen.getByRole('textbox', { name: 'Username' })).toBeDefined()
  })
})

describe('[spec 2 §2] the proxy notice', () => {
  const proxy = { hasProxyAuth: true, proxyAuthUsername: 'lee', proxyAuthIsAdmin: true }

  test.each([
    { isAdmin: true, text: 'You are lee, an administrator.' },
    { isAdmin: false, text: 'You are lee, not an administrator.' },
  ])('$text', async ({ isAdmin, text }) => {
    await show({ ...proxy, proxyAuthIsAdmin: isAdmin })
    expect(screen.getByText(text)).toBeDefined()
    expect(screen.queryByText('Every proxy user is an administrator')).toBeNull()
  })

  test('warns when every proxy user is an administrator', async () => {
    await show({ ...proxy, proxyAuthAllAdmin: true })
    expect(screen.getByText('Every proxy user is an administrator')).toBeDefined()
    expect(screen.getByText(/PROXY_AUTH_ROLE_HEADER/)).toBeDefined()
  })

  test('is not for those who came another way', async () => {
    const { container } = await show({ hasProxyAuth: true })
    expect(container.textContent).toBe('')
  })
})

describe('[spec 2 §2] a restart is pending', () => {
  test('the notice says how', async () => {
    await show({ configuredButPendingRestart: true, hasAuthentication: false, deploymentType: 'systemd' })
    expect(screen.getByText('Restart needed')).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('Command').value).toBe('sudo systemctl restart pulse')
    expect(screen.queryByText('Authentication is disabled')).toBeNull()
  })

  test.each([
    ['docker', 'docker restart pulse'],
    ['systemd', 'sudo systemctl restart pulse'],
    ['proxmoxve', 'systemctl restart pulse'],
    ['manual', 'npm start'],
    ['source', 'npm start'],
    ['development', 'npm start'],
    ['something new', 'npm start'],
    [undefined, 'npm start'],
  ])('%s: %s', (deploymentType, command) => {
    expect(restartSteps(deploymentType).command).toBe(command)
  })
})
