import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { entry, refusedAnswer, refusedSocket } from './entry.ts'
import { journeys } from './journey.ts'
import { expectText, overview } from './overview.ts'
import { type ReverseProxy, startReverseProxy } from './reverse-proxy.ts'
import { securityPage, securityPath } from './security-page.ts'

const secret = 'secret between the proxy and Pulse'
const signedOut = '<link rel=icon href=data:,><h1>Signed out of the proxy</h1>'
const logoutPath = '/outpost/sign_out'

journeys(
  'proxy authentication',
  (given) => {
    let proxy: ReverseProxy
    beforeAll(async () => {
      proxy = await startReverseProxy(given.estate.url, { [logoutPath]: signedOut })
    })
    afterAll(() => proxy.close())
    beforeEach(() => {
      proxy.adds = undefined
    })
    const person = (name: string, groups: string) => ({
      'x-proxy-secret': secret,
      'remote-user': name,
      'remote-groups': groups,
    })
    const at = (path: string) => proxy.url + path

    test('[spec 1 §4] whom the proxy names goes in as that user, and Logout leads to its address', async () => {
      proxy.adds = person('anna', 'staff|admins')
      const { page } = await given.open({ signedOut: true, path: at('/') })
      const view = overview(page)
      await view.ready()
      await expectText(view.connection).toBe('Connected')
      await entry(page).user('anna').waitFor()
      expect(await entry(page).viewerBadge.count()).toBe(0)

      await page.goto(at(securityPath))
      await securityPage(page).ready()
      await page.getByText('You are anna, an administrator.', { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: 'Change password' }).count()).toBe(0)

      await entry(page).logout.click()
      await page.getByRole('heading', { name: 'Signed out of the proxy' }).waitFor()
      expect(page.url()).toBe(at(logoutPath))
    })

    test('[spec 1 §6] without the role of administrators a proxy user is a viewer', async () => {
      proxy.adds = person('bert', 'staff')
      const { page } = await given.open({ signedOut: true, path: at(securityPath) })
      await entry(page).user('bert').waitFor()
      await entry(page).viewerBadge.waitFor()
      await page.getByText('You are bert, not an administrator.', { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: 'New token' }).count()).toBe(0)
    })

    test.each([
      { when: 'no user is signed in at the proxy', adds: undefined },
      { when: 'the secret is wrong', adds: { ...person('anna', 'admins'), 'x-proxy-secret': 'guessed' } },
    ])('[spec 1 §4] $when: the login', async ({ adds }) => {
      proxy.adds = adds
      const visit = await given.open({ signedOut: true, path: at('/') })
      visit.expects(refusedAnswer)
      visit.expects(refusedSocket)
      await entry(visit.page).title.waitFor()
    })
  },
  {
    env: {
      PULSE_TRUSTED_PROXIES: '127.0.0.1',
      PROXY_AUTH_SECRET: secret,
      PROXY_AUTH_USER_HEADER: 'Remote-User',
      PROXY_AUTH_ROLE_HEADER: 'Remote-Groups',
      PROXY_AUTH_ADMIN_ROLE: 'admins',
      PROXY_AUTH_LOGOUT_URL: logoutPath,
    },
  },
)
