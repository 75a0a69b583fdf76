import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { pendingAttempts, type Attempt } from './pending.ts'
import { defaultSettings } from './settings.ts'

const anAttempt = (browserKey: string): Attempt => ({
  settings: defaultSettings,
  metadata: { issuer: 'https://id.example.test' },
  nonce: 'nonce',
  codeVerifier: 'verifier',
  browserKey,
  redirectUri: 'https://pulse.example.test/api/oidc/callback',
  returnTo: '/',
})

test('[facts/platform 6.2] a sign-in may take ten minutes, and not longer', async () => {
  const clock = fakeClock()
  const pending = pendingAttempts(clock)
  pending.add('in time', anAttempt('a'))
  pending.add('late', anAttempt('b'))
  await clock.advance(10 * 60_000 - 1)
  expect(pending.take('in time', 'a')).toBeDefined()
  await clock.advance(1)
  expect(pending.take('late', 'b')).toBeUndefined()
})

test('[S7] it ends once', () => {
  const pending = pendingAttempts(fakeClock())
  pending.add('state', anAttempt('key'))
  expect(pending.take('state', 'key')).toBeDefined()
  expect(pending.take('state', 'key')).toBeUndefined()
})

test.each([undefined, '', 'kex', 'key ', 'key-and-more', 'schlüssel'])(
  '[S7] a browser with the key %j ends nothing',
  (browserKey) => {
    const pending = pendingAttempts(fakeClock())
    pending.add('state', anAttempt('key'))
    expect(pending.take('state', browserKey)).toBeUndefined()
    expect(pending.take('state', 'key')).toBeDefined()
  },
)

test('[S7] at most a thousand wait; the oldest is dropped', () => {
  const pending = pendingAttempts(fakeClock())
  for (let n = 0; n <= 1_000; n++) pending.add(`state ${n}`, anAttempt('key'))
  expect(pending.take('state 0', 'key')).toBeUndefined()
  expect(pending.take('state 1', 'key')).toBeDefined()
  expect(pending.take('state 1000', 'key')).toBeDefined()
})

test.each([3_600_000, -3_600_000, 3 * 86_400_000, -3 * 86_400_000])(
  '[R20] the clock steps by %d ms: still ten minutes',
  async (step) => {
    const clock = fakeClock()
    const pending = pendingAttempts(clock)
    pending.add('in time', anAttempt('a'))
    pending.add('late', anAttempt('b'))
    clock.step(step)
    await clock.advance(10 * 60_000 - 1)
    expect(pending.take('in time', 'a')).toBeDefined()
    await clock.advance(1)
    expect(pending.take('late', 'b')).toBeUndefined()
  },
)
