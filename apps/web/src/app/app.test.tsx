// @vitest-environment happy-dom
import { createMemoryHistory } from '@tanstack/react-router'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Api } from '../api/client.ts'
import { createCredentials } from '../api/credentials.ts'
import { aLive } from '../live/fake-live.ts'
import { App } from './app.tsx'
import { createAppRouter } from './router.tsx'
import type { Page } from './routes.ts'
import type { StartupSteps } from './startup.ts'

const page: Page = {
  path: '/proxmox/overview',
  area: 'proxmox',
  label: 'Overview',
  load: async () => () => <p>page</p>,
}

function given(steps: Partial<StartupSteps> = {}) {
  const calls: string[] = []
  const live = { ...aLive(), start: () => void calls.push('start'), stop: () => void calls.push('stop') }
  const api = { credentials: createCredentials(), call: async () => ({}) } as unknown as Api
  const router = createAppRouter([page], createMemoryHistory())
  const startupSteps: StartupSteps = {
    takeJustLoggedOut: () => false,
    fetchSecurityStatus: () => Promise.reject(new Error('offline')),
    probeState: async () => 200,
    ...steps,
  }
  return { calls, props: { api, live, router, startupSteps } }
}

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('[spec 1 §2] a loading screen while the check runs; no live connection yet', async () => {
  const { props, calls } = given({ fetchSecurityStatus: () => new Promise(() => {}) })
  render(<App {...props} />)
  expect(screen.getByRole('status').textContent).toBe('Loading...')
  expect(calls).toEqual([])
})

test('once in, the live connection starts; leaving stops it', async () => {
  const { props, calls } = given()
  const view = await act(async () => render(<App {...props} />))
  await vi.waitFor(() => expect(screen.getByText('page')).toBeDefined())
  expect(calls).toEqual(['start'])
  view.unmount()
  expect(calls).toEqual(['start', 'stop'])
})

test('who is not let in sees why, and no live connection is tried', async () => {
  const { props, calls } = given({ takeJustLoggedOut: () => true })
  await act(async () => render(<App {...props} />))
  expect(screen.getByText(/only admits browsers that run on the same machine/)).toBeDefined()
  expect(calls).toEqual([])
})

test.each([
  { stored: 'true', dark: true },
  { stored: 'false', dark: false },
  { stored: null, dark: true },
  { stored: 'nonsense', dark: true },
])('[spec 1 §4] darkMode $stored on a dark system: $dark', async ({ stored, dark }) => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
  if (stored) localStorage.setItem('darkMode', stored)
  const { props } = given({ takeJustLoggedOut: () => true })
  await act(async () => render(<App {...props} />))
  expect(document.documentElement.classList.contains('dark')).toBe(dark)
})

test('[spec 1 §2] when the frame itself fails, Error Loading App shows the error text', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { props } = given()
  const broken = {
    ...props.live,
    start: () => {
      throw new Error('no live state')
    },
  }
  await act(async () => render(<App {...props} live={broken} />))
  expect(screen.getByRole('heading', { name: 'Error Loading App' })).toBeDefined()
  expect(screen.getByText('no live state')).toBeDefined()
})
