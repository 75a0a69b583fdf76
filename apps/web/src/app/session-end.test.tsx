// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import {
  ann,
  givenApp,
  inFreshBrowsers,
  json,
  loginForm,
  offline,
  start,
  statusCall,
  stranger,
} from './fake-entry.tsx'

inFreshBrowsers()

describe('a session that ends', () => {
  test('a refused socket without a session leads to the login screen at the same address', async () => {
    const { props, server, turnAway, calls, router } = givenApp({}, '/docker')
    await start(props)
    await screen.findByText('docker page')
    server[statusCall] = () => json(stranger)
    await turnAway()
    await loginForm()
    expect(screen.getByText('Your session has ended. Sign in again to go on.')).toBeDefined()
    expect(router.view().location.path).toBe('/docker')
    expect(calls.at(-1)).toBe('stop')
  })

  test('with a valid session the app stays, and the connection retries', async () => {
    const { props, turnAway, calls } = givenApp()
    await start(props)
    await screen.findByText('page')
    await turnAway()
    expect(screen.getByText('page')).toBeDefined()
    expect(calls).not.toContain('stop')
  })

  test('an unreachable server does not end the session; each failed attempt checks once', async () => {
    const { props, server, turnAway, asked } = givenApp()
    await start(props)
    await screen.findByText('page')
    server[statusCall] = () => offline
    const before = asked(statusCall)
    await turnAway()
    await turnAway()
    expect(asked(statusCall)).toBe(before + 2)
    expect(screen.getByText('page')).toBeDefined()
  })

  test('while one check is pending no other starts', async () => {
    const { props, server, turnAway, asked } = givenApp()
    await start(props)
    await screen.findByText('page')
    server[statusCall] = () => new Promise(() => {})
    const before = asked(statusCall)
    await turnAway()
    await turnAway()
    expect(asked(statusCall)).toBe(before + 1)
  })

  test('[spec 2 §4] new credentials: the question waits for the answer that brings the new session', async () => {
    let bring = () => {}
    const rotation = new Promise<Response>((resolve) => (bring = () => resolve(json({ success: true }))))
    const { props, server, api, turnAway, asked } = givenApp({ 'POST /api/x': () => rotation })
    await start(props)
    await screen.findByText('page')
    server[statusCall] = () => json(stranger)
    const before = asked(statusCall)
    const sent = api.send('/api/x', { method: 'POST' })
    await turnAway()
    expect(asked(statusCall)).toBe(before)
    server[statusCall] = () => json({ ...stranger, user: ann })
    await act(async () => {
      bring()
      await sent
    })
    await vi.waitFor(() => expect(asked(statusCall)).toBe(before + 1), within(30_000))
    expect(screen.getByText('page')).toBeDefined()
  })

  test('after signing in in another tab, returning to this one enters the app', async () => {
    const { props, server, turnAway } = givenApp()
    await start(props)
    await screen.findByText('page')
    server[statusCall] = () => json(stranger)
    await turnAway()
    await loginForm()
    server[statusCall] = () => offline
    await act(async () => void document.dispatchEvent(new Event('visibilitychange')))
    await loginForm()
    server[statusCall] = () => json({ ...stranger, user: ann })
    await act(async () => void document.dispatchEvent(new Event('visibilitychange')))
    await screen.findByText('page')
  })

  test('a change refused with 401 checks the session', async () => {
    const { props, server, api } = givenApp({ 'POST /api/x': () => json({}, 401) })
    await start(props)
    await screen.findByText('page')
    server[statusCall] = () => json(stranger)
    await act(() => api.send('/api/x', { method: 'POST' }))
    await loginForm()
  })
})
