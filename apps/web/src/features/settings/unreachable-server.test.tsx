// @vitest-environment happy-dom
import { aGuest } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { within as limit } from '../../../../../scripts/test-limits.ts'
import { createAppRouter, Pages } from '../../app/router.tsx'
import type { Page } from '../../app/routes.ts'
import { aLive } from '../../live/fake-live.ts'
import { createMemoryHistory } from '../../ui/router/fake-history.ts'
import { renderSettings } from './fake-settings.tsx'
import { toasts } from './nodes/fake-nodes.tsx'
import { SettingsPage } from './page.tsx'
import { sections } from './sections.ts'

beforeEach(() => {
  localStorage.clear()
  toasts()
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function open(path: string, press?: string) {
  const page: Page = {
    path: '/settings',
    area: 'settings',
    label: 'Settings',
    nested: true,
    load: async () => SettingsPage,
  }
  const router = createAppRouter([page], createMemoryHistory({ initialEntries: [path] }))
  window.location.hash = path.split('#')[1] ?? ''
  await renderSettings(<Pages router={router} />, { away: true, live: aLive({ guests: { g: aGuest() } }) })
  if (!press) return
  const button = await screen.findByRole('button', { name: press }, { timeout: limit(10_000) })
  await act(async () => void fireEvent.click(button))
}

test.each([
  ...sections
    .filter(({ id }) => !['diagnostics', 'docker', 'security'].includes(id))
    .map(({ path }) => ({ path, press: undefined })),
  { path: '/settings/security#tokens', press: undefined },
  { path: '/settings/security#single-sign-on', press: undefined },
  { path: '/settings/security#users', press: undefined },
  { path: '/settings/security#audit', press: undefined },
  { path: '/settings/docker', press: 'Generate token' },
  { path: '/settings/diagnostics', press: 'Run Diagnostics' },
])(
  'while Pulse is away $path says that it does not answer, not what the browser calls it',
  async ({ path, press }) => {
    await open(path, press)
    await waitFor(() => expect(document.body.textContent).toContain('Pulse does not answer'), {
      timeout: limit(10_000),
    })
    expect([document.body.textContent, ...toasts()].join()).not.toContain('Failed to fetch')
  },
)
