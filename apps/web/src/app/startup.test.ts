import type { SecurityStatus } from '@pulse/contract'
import { aSecurityStatus } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { createApi } from '../api/client.ts'
import { createCredentials } from '../api/credentials.ts'
import { createRequester } from '../api/request.ts'
import { signedInUser, decideStartup, followStatus, type Startup, browserStartupSteps } from './startup.ts'

const stranger = aSecurityStatus()
const status = (change: Partial<SecurityStatus> = {}): SecurityStatus => ({ ...stranger, ...change })
const ann = { name: 'ann', role: 'admin', method: 'session' } as const

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
    const disabled = status({ disabled: true, hasAuthentication: false, requiresAuth: false })
    const { outcome, asked } = decide({ status: disabled })
    expect(await outcome).toEqual({ screen: 'app', why: 'disabled', status: disabled })
    expect(asked).toEqual(['status'])
  })

  test('a demonstration goes straight in, and names no user', async () => {
    const demo = status({
      demo: true,
      hasAuthentication: false,
      requiresAuth: false,
      user: { name: 'demo', role: 'viewer', method: 'none' },
    })
    const { outcome, asked } = decide({ status: demo, probe: 401 })
    expect(await outcome).toEqual({ screen: 'app', why: 'demo', status: demo })
    expect(asked).toEqual(['status'])
    expect(signedInUser(demo)).toBeUndefined()
    expect(followStatus(await outcome, demo)).toMatchObject({ screen: 'app', why: 'demo' })
  })

  test('4: a proxy that names the user goes in as that user, without a probe', async () => {
    const proxied = status({ hasProxyAuth: true, proxyAuthUsername: 'ann' })
    const { outcome, asked } = decide({ status: proxied })
    expect(await outcome).toEqual({ screen: 'app', why: 'user', status: proxied })
    expect(asked).toEqual(['status'])
  })

  test('4: a proxy that names nobody changes nothing', async () => {
    const { outcome } = decide({ status: status({ hasProxyAuth: true }), probe: 401 })
    expect(await outcome).toMatchObject({ screen: 'login', reason: 'unauthenticated' })
  })

  test('5: a single sign-on session goes in as its user, without a probe', async () => {
    const single = status({ oidcEnabled: true, oidcUsername: 'bob' })
    const { outcome, asked } = decide({ status: single })
    expect(await outcome).toEqual({ screen: 'app', why: 'user', status: single })
    expect(asked).toEqual(['status'])
  })

  test('the status names who has a session: nothing is left to probe', async () => {
    const known = status({ user: ann })
    const { outcome, asked } = decide({ status: known })
    expect(await outcome).toEqual({ screen: 'app', why: 'user', status: known })
    expect(asked).toEqual(['status'])
  })

  test('6: no authentication configured shows login, which becomes the first-run setup', async () => {
    const { outcome, asked } = decide({ status: status({ hasAuthentication: false, requiresAuth: false }) })
    expect(await outcome).toMatchObject({ screen: 'login', reason: 'not-configured' })
    expect(asked).toEqual(['status'])
  })

  test.each([
    { probe: 401, outcome: { screen: 'login', reason: 'unauthenticated' } },
    { probe: 200, outcome: { screen: 'app', why: 'admitted' } },
    { probe: 403, outcome: { screen: 'app', why: 'admitted' } },
    { probe: 429, outcome: { screen: 'app', why: 'admitted' } },
    { probe: 500, outcome: { screen: 'app', why: 'admitted' } },
  ])('7: a probe answered with $probe leads to $outcome.screen', async ({ probe, outcome }) => {
    const { outcome: decided, asked } = decide({ probe })
    expect(await decided).toEqual({ ...outcome, status: stranger })
    expect(asked).toEqual(['status', 'probe'])
  })

  test.each([
    { when: 'the status', given: { status: new Error('offline') } },
    { when: 'the probe', given: { probe: new Error('offline') } },
  ])('8: an error in $when proceeds as logged in', async ({ given }) => {
    expect(await decide(given).outcome).toEqual({ screen: 'app', why: 'check-failed' })
  })
})

describe('a later answer of the server', () => {
  const inside: Startup = { screen: 'app', why: 'admitted', status: status({ user: ann }) }

  test.each([
    { when: 'still names the user', answer: { user: ann } },
    { when: 'names another user', answer: { user: { ...ann, role: 'viewer' as const } } },
    { when: 'says that authentication is switched off', answer: { disabled: true, requiresAuth: false } },
    { when: 'does not ask for sign-in', answer: { requiresAuth: false } },
  ])('that $when: stays in and keeps the news', ({ answer }) => {
    const news = status(answer)
    expect(followStatus(inside, news)).toEqual({ screen: 'app', why: 'admitted', status: news })
  })

  test.each([
    { when: 'names nobody', answer: {}, reason: 'ended' },
    {
      when: 'has nothing set up',
      answer: { hasAuthentication: false, requiresAuth: false },
      reason: 'not-configured',
    },
  ])('that $when: out', ({ answer, reason }) => {
    const news = status(answer)
    expect(followStatus(inside, news)).toEqual({ screen: 'login', reason, status: news })
  })

  test.each([
    { reason: 'ended', user: ann, outcome: { screen: 'app' } },
    { reason: 'unauthenticated', user: ann, outcome: { screen: 'app' } },
    { reason: 'ended', user: undefined, outcome: { screen: 'login', reason: 'ended' } },
    { reason: 'not-configured', user: ann, outcome: { screen: 'login', reason: 'not-configured' } },
  ] as const)('on the login screen ($reason) with user $user.name: $outcome.screen', (row) => {
    const outside: Startup = { screen: 'login', reason: row.reason }
    const news = status(row.user && { user: row.user })
    expect(followStatus(outside, news)).toMatchObject(row.outcome)
  })
})

describe('who is named', () => {
  test.each([
    {
      who: 'the proxy before single sign-on, with its logout address',
      given: {
        hasProxyAuth: true,
        proxyAuthUsername: 'ann',
        proxyAuthLogoutURL: '/out',
        oidcUsername: 'bob',
      },
      user: { name: 'ann', via: 'proxy', logoutUrl: '/out' },
    },
    {
      who: 'single sign-on before the session of our own, with its logout address',
      given: { oidcUsername: 'bob', oidcLogoutURL: 'https://idp/out', user: { ...ann, name: 'bob' } },
      user: { name: 'bob', via: 'oidc', logoutUrl: 'https://idp/out' },
    },
    {
      who: 'a local user, whose way out is ours whatever else is set up',
      given: { oidcEnabled: true, oidcLogoutURL: 'https://idp/out', proxyAuthLogoutURL: '/out', user: ann },
      user: { name: 'ann', via: 'local' },
    },
    { who: 'nobody when no proxy is trusted', given: { proxyAuthUsername: 'ann' }, user: undefined },
    { who: 'nobody while authentication is off', given: { disabled: true, user: ann }, user: undefined },
  ])('[spec 1 §4] $who', ({ given, user }) => {
    expect(signedInUser(status(given))).toEqual(user)
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
    onUnauthorized: () => {},
    credentials,
  })
  const steps = browserStartupSteps(createApi(requester, credentials))
  expect([steps.takeJustLoggedOut(), steps.takeJustLoggedOut()]).toEqual([true, false])
  expect(await decideStartup(steps)).toMatchObject({ screen: 'login', reason: 'unauthenticated' })
  expect(urls).toEqual(['/api/security/status', '/api/state'])
})
