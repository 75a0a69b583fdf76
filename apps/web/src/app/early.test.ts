// @vitest-environment happy-dom
import type { SecurityStatus } from '@pulse/contract'
import { aSecurityStatus } from '@pulse/testkit'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { justLoggedOutKey } from './startup.ts'
import { within } from '../../../../scripts/test-limits.ts'

const signedIn = aSecurityStatus({ user: { name: 'ann', role: 'admin', method: 'session' } })
const stranger = aSecurityStatus()

let asked: string[]
let answer: (status: SecurityStatus) => void

class Socket extends EventTarget {
  constructor(url: string) {
    super()
    asked.push(new URL(url).pathname)
  }
  close() {
    asked.push('closed')
  }
}

beforeEach(() => {
  asked = []
  localStorage.clear()
  vi.resetModules()
  vi.stubGlobal('WebSocket', Socket)
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url)
    return new Promise<Response>((resolve) => {
      answer = (status) => resolve(new Response(JSON.stringify(status)))
    })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
  document.cookie = 'pulse_csrf=; max-age=0'
})

const begin = async () => (await import('./early.ts')).early

test('importing the module requests the status, and the first caller gets that answer', async () => {
  const { startupSteps } = await begin()
  expect(asked).toEqual(['/api/security/status'])
  const first = startupSteps.fetchSecurityStatus()
  answer(signedIn)
  expect(await first).toEqual(signedIn)
  void startupSteps.fetchSecurityStatus()
  expect(asked).toEqual(['/api/security/status', '/api/security/status'])
})

test('a session opens one socket at once', async () => {
  document.cookie = 'pulse_csrf=token'
  const { live } = await begin()
  answer(signedIn)
  live.start()
  expect(asked).toEqual(['/api/security/status', '/ws'])
  live.stop()
})

test('an ended session closes it before the first render', async () => {
  document.cookie = 'pulse_csrf=token'
  const { startupSteps } = await begin()
  answer(stranger)
  await startupSteps.fetchSecurityStatus()
  await vi.waitFor(() => expect(asked.at(-1)).toBe('closed'), within(30_000))
})

test('[spec 1 §4] after a logout nothing is requested', async () => {
  localStorage.setItem(justLoggedOutKey, 'true')
  document.cookie = 'pulse_csrf=token'
  await begin()
  expect(asked).toEqual([])
})
