import type { SecurityStatus } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { createApi } from '../api/client.ts'
import { createCredentials } from '../api/credentials.ts'
import { createRequester } from '../api/request.ts'
import { decideStartup } from './startup.ts'
import { browserStartupSteps } from './startup-steps.ts'

const status = (change: Partial<SecurityStatus> = {}): SecurityStatus => ({
  hasAuthentication: true,
  requiresAuth: true,
  hasProxyAuth: false,
  oidcEnabled: false,
  apiTokenConfigured: false,
  exportProtected: false,
  unprotectedExportAllowed: false,
  hasHTTPS: false,
  hasAuditLogging: false,
  publicAccess: false,
  isPrivateNetwork: true,
  configuredButPendingRestart: false,
  ...change,
})

function decide(given: { loggedOut?: boolean; status?: SecurityStatus | Error; probe?: number | Error }) {
  const asked: string[] = []
  const answer = <T>(name: string, value: T | Error): Promise<T> => {
    asked.push(name)
    return value instanceof Error ? Promise.reject(value) : Promise.resolve(value)
  }
  const outcome = decideStartup({
    takeJustLoggedOut: () => given.loggedOut ?? false,
    fetchSecurityStatus: () => answer('status', given.status ?? status()),
    probeState: () => answer('probe', given.probe ?? 200),
  })
  return { outcome, asked }
}

describe('[spec 1 §4] startup', () => {
  test('1: just logged out shows login and asks nothing', async () => {
    const { outcome, asked } = decide({ loggedOut: true })
    expect(await outcome).toEqual({ screen: 'login', reason: 'logged-out' })
    expect(asked).toEqual([])
  })

  test('2 and 3: the status is fetched; disabled authentication goes straight in', async () => {
    const { outcome, asked } = decide({
      status: status({ disabled: true, hasAuthentication: false, requiresAuth: false }),
    })
    expect(await outcome).toEqual({ screen: 'app', why: 'disabled' })
    expect(asked).toEqual(['status'])
  })

  test('4: a proxy that names the user goes in as that user', async () => {
    const { outcome, asked } = decide({
      status: status({
        hasProxyAuth: true,
        proxyAuthUsername: 'ann',
        proxyAuthLogoutURL: 'https://proxy/logout',
      }),
    })
    const user = { name: 'ann', via: 'proxy', logoutUrl: 'https://proxy/logout' }
    expect(await outcome).toEqual({ screen: 'app', why: 'user', user })
    expect(asked).toEqual(['status'])
  })

  test('4: a proxy that names nobody changes nothing', async () => {
    const { outcome } = decide({ status: status({ hasProxyAuth: true }), probe: 401 })
    expect(await outcome).toEqual({ screen: 'login', reason: 'unauthenticated' })
  })

  test('4 before 5: the proxy user wins over the single sign-on one', async () => {
    const { outcome } = decide({
      status: status({ hasProxyAuth: true, proxyAuthUsername: 'ann', oidcUsername: 'bob' }),
    })
    expect(await outcome).toMatchObject({ user: { name: 'ann' } })
  })

  test('5: a single sign-on session goes in as its user', async () => {
    const { outcome } = decide({ status: status({ oidcEnabled: true, oidcUsername: 'bob' }) })
    expect(await outcome).toEqual({ screen: 'app', why: 'user', user: { name: 'bob', via: 'oidc' } })
  })

  test('6: no authentication configured shows login, which becomes the first-run setup', async () => {
    const { outcome, asked } = decide({ status: status({ hasAuthentication: false, requiresAuth: false }) })
    expect(await outcome).toEqual({ screen: 'login', reason: 'not-configured' })
    expect(asked).toEqual(['status'])
  })

  test.each([
    { probe: 401, outcome: { screen: 'login', reason: 'unauthenticated' } },
    { probe: 200, outcome: { screen: 'app', why: 'admitted' } },
    { probe: 403, outcome: { screen: 'app', why: 'admitted' } },
    { probe: 429, outcome: { screen: 'app', why: 'admitted' } },
    { probe: 500, outcome: { screen: 'app', why: 'admitted' } },
  ])('7: a probe answered with $probe leads to $outcome.screen', async ({ probe, outcome }) => {
    expect(await decide({ probe }).outcome).toEqual(outcome)
  })

  test.each([
    { when: 'the status', given: { status: new Error('offline') } },
    { when: 'the probe', given: { probe: new Error('offline') } },
  ])('8: an error in $when proceeds as logged in', async ({ given }) => {
    expect(await decide(given).outcome).toEqual({ screen: 'app', why: 'check-failed' })
  })
})

test('the steps as the browser takes them', async () => {
  const stored = new Map([['just_logged_out', 'true']])
  globalThis.localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  } as Storage
  const urls: string[] = []
  const credentials = createCredentials()
  const requester = createRequester({
    fetch: async (url) => {
      urls.push(url)
      return url === '/api/state' ? new Response('{"huge":1}', { status: 401 }) : Response.json(status())
    },
    cookies: () => '',
    wait: async () => {},
    warn: () => {},
    credentials,
  })
  const steps = browserStartupSteps(createApi(requester, credentials))
  expect([steps.takeJustLoggedOut(), steps.takeJustLoggedOut()]).toEqual([true, false])
  expect(await decideStartup(steps)).toEqual({ screen: 'login', reason: 'unauthenticated' })
  expect(urls).toEqual(['/api/security/status', '/api/state'])
})
