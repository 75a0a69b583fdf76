// @vitest-environment happy-dom
import { aSecurityStatus } from '@pulse/testkit'
import { act, screen } from '@testing-library/react'
import type { Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { within } from '../../../scripts/test-limits.ts'

beforeEach(() => {
  vi.resetModules()
  localStorage.clear()
})
afterEach(() => {
  document.body.replaceChildren()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('[spec 1 §8] a missing root element is logged', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  await import('./main.tsx')
  expect(error).toHaveBeenCalledWith('Root element not found: nothing can be shown')
})

describe('until the server has said who may enter', () => {
  let answer: () => void
  let root: Root
  const drawn = () => document.getElementById('root')!.childElementCount > 0
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

  beforeEach(async () => {
    vi.useFakeTimers()
    document.body.innerHTML = '<div id="root"></div>'
    // not admitted: the socket stays closed
    const status = Promise.withResolvers<Response>()
    answer = () => status.resolve(Response.json(aSecurityStatus()))
    vi.stubGlobal('fetch', (url: string) =>
      url === '/api/security/status' ? status.promise : Promise.resolve(new Response(null, { status: 401 })),
    )
    root = (await import('./main.tsx')).root!
  })
  afterEach(() => act(() => root.unmount()))

  test('nothing is drawn for 150 ms, then that it is loading', async () => {
    await pass(149)
    expect(drawn()).toBe(false)
    await pass(1)
    expect(screen.getByRole('status').textContent).toBe('Loading...')
  })

  test('an answer that comes before is not kept waiting', async () => {
    await pass(100)
    expect(drawn()).toBe(false)
    answer()
    await pass(0)
    expect(drawn()).toBe(true)
    vi.useRealTimers()
    await screen.findByRole('heading', { name: 'Sign in' }, { timeout: within(30_000) })
  })
})
