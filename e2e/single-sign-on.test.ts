import type { AuditRecord } from '@pulse/contract'
import { type OidcProvider, startOidcProvider } from '@pulse/lab'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entry, refusedAnswer, refusedSocket } from './entry.ts'
import { examine } from './examine.ts'
import { journeys } from './journey.ts'
import { expectText, overview } from './overview.ts'
import { securityPage, securityPath } from './security-page.ts'

const client = { clientId: 'pulse', clientSecret: 'a secret of the client, long enough for HS256' }
const attack = '<img src=x onerror=alert(1)>'
const users = [
  { sub: '1', preferred_username: 'anna', password: 'anna', groups: ['staff'] },
  { sub: '2', preferred_username: 'bert', password: 'bert', groups: ['visitors'] },
  { sub: '3', preferred_username: attack, password: 'attack', groups: ['staff'] },
  { sub: '4', preferred_username: '\u202egnitteS\u202c\u200f', password: 'turned', groups: ['staff'] },
]
/** The pages of the provider have no icon. */
const noIcon = /status of 404 .*\/favicon\.ico$/
const deepLink = `${securityPath}?from=mail`

journeys(
  'single sign-on',
  (given) => {
    let provider: OidcProvider
    /** signs with the client's secret */
    let outdated: OidcProvider

    beforeAll(async () => {
      const options = { ...client, users, redirectUris: [`${given.estate.url}/api/oidc/callback`] }
      provider = await startOidcProvider(options)
      outdated = await startOidcProvider({ ...options, idTokenAlg: 'HS256' })
    })
    afterAll(() => Promise.all([provider.close(), outdated.close()]))

    const configure = (issuerUrl: string) =>
      given.estate.call('PUT', '/api/security/oidc', {
        enabled: true,
        issuerUrl,
        adminGroups: ['staff'],
        ...client,
      })
    const audit = async (event: AuditRecord['event']) => {
      const page = await given.estate.call('GET', `/api/security/audit?event=${event}&limit=1`)
      return (page as { events: AuditRecord[] }).events[0]
    }
    /** A visit before sign-in, from its own address: the rate limit allows few sign-ins per minute and address. */
    const arrive = async (address: string) => {
      const visit = await given.open({
        signedOut: true,
        path: deepLink,
        headers: { 'X-Forwarded-For': address },
      })
      visit.expects(refusedAnswer)
      visit.expects(refusedSocket)
      visit.expects(noIcon)
      await entry(visit.page).singleSignOn.click()
      await visit.page.getByRole('heading', { name: 'Lab sign-in' }).waitFor()
      return visit.page
    }

    test('[spec 2 §5] is set up in the settings', async () => {
      const { page } = await given.open({ path: securityPath })
      const security = securityPage(page)
      await security.open('Single sign-on')
      const panel = security.panel('Single sign-on')
      const fill = (label: string, text: string) => panel.getByLabel(label, { exact: true }).fill(text)
      await panel.getByRole('switch', { name: 'Enable single sign-on' }).click()
      await panel.getByRole('button', { name: 'Save single sign-on' }).click()
      await panel.getByText('Issuer URL is required', { exact: true }).waitFor()
      await panel.getByText('Client ID is required', { exact: true }).waitFor()
      await fill('Issuer URL', ` ${provider.issuer} `)
      await fill('Client ID', client.clientId)
      await fill('Client secret', client.clientSecret)
      await fill('Scopes', 'openid, profile email,groups')
      await fill('Groups claim', 'groups')
      await fill('Allowed groups', 'staff')
      await panel.getByRole('button', { name: 'Save single sign-on' }).click()
      await security.toast('OIDC settings updated').waitFor()
      await panel.getByText('A secret is stored. Leave blank to keep it.', { exact: true }).waitFor()
      expect(await given.estate.call('GET', '/api/security/oidc')).toMatchObject({
        enabled: true,
        issuerUrl: provider.issuer,
        clientSecretSet: true,
        scopes: ['openid', 'profile', 'email', 'groups'],
        allowedGroups: ['staff'],
      })
      expect(await page.content()).not.toContain(client.clientSecret)
    })

    test('[spec 1 §2] leads to the provider and back to the page asked for, until Logout', async () => {
      const page = await arrive('192.0.2.1')
      expect(page.url().startsWith(provider.issuer)).toBe(true)
      await signInThere(page, 'anna', 'anna')
      await securityPage(page).title.waitFor()
      expect(page.url()).toBe(given.estate.url + deepLink)
      await entry(page).user('anna').waitFor()
      expect(await audit('oidc_login')).toMatchObject({ actor: 'anna', method: 'oidc', success: true })

      await entry(page).logout.click()
      await page.getByRole('heading', { name: 'Lab sign-out' }).waitFor()
      expect(page.url().startsWith(provider.issuer)).toBe(true)
      await page.goto(given.estate.url)
      await entry(page).title.waitFor()
      expect(await audit('logout')).toMatchObject({ actor: 'anna', method: 'oidc' })
    })

    describe('[spec 1 §8] is refused with its reason', () => {
      const expectRefusal = async (page: Page, text: string, code: string) => {
        await expectText(entry(page).message).toBe(text)
        expect(new URL(page.url()).search).not.toMatch(/oidc/)
        const record = await audit('oidc_login_failed')
        expect(record?.success).toBe(false)
        expect(record?.details).toMatch(new RegExp(`^${code}: `))
      }

      test('in no allowed group', async () => {
        const page = await arrive('192.0.2.2')
        await signInThere(page, 'bert', 'bert')
        await expectRefusal(page, 'Your account is not in an authorized group.', 'group_restricted')
        expect(page.url()).toBe(given.estate.url + deepLink)
      })

      test('with a state that is not ours', async () => {
        const page = await arrive('192.0.2.3')
        await page.goto(`${given.estate.url}/api/oidc/callback?code=stolen&state=guessed`)
        await expectRefusal(page, 'The sign-in attempt has expired. Please try again.', 'invalid_state')
      })

      test('by the provider', async () => {
        const page = await arrive('192.0.2.4')
        await page.getByRole('button', { name: 'Cancel' }).click()
        await expectRefusal(
          page,
          'Single sign-on failed. Please try again or contact an administrator.',
          'access_denied',
        )
      })

      test('with tokens that are signed by a shared secret', async () => {
        await configure(outdated.issuer)
        const page = await arrive('192.0.2.5')
        await signInThere(page, 'anna', 'anna')
        await expectRefusal(
          page,
          'The identity provider issues HS256 tokens. It must be switched to RS256 before anyone can sign in.',
          'invalid_signature_alg',
        )
        await configure(provider.issuer)
      })

      test('when the provider is away', async () => {
        await configure('http://127.0.0.1:9')
        const visit = await given.open({ signedOut: true, headers: { 'X-Forwarded-For': '192.0.2.6' } })
        visit.expects(/Failed to load resource: the server responded with a status of (401|502) /)
        await entry(visit.page).singleSignOn.waitFor()
        await examine(visit.page, 'light-1440-login-single-sign-on')
        await entry(visit.page).singleSignOn.click()
        await expectText(entry(visit.page).message).toBe('Failed to start single sign-on. Please try again.')
        await configure(provider.issuer)
      })
    })

    test.each([
      { kind: 'markup', username: attack, secret: 'attack', shown: attack, address: '192.0.2.7' },
      {
        kind: 'marks that turn the text around',
        username: users[3]!.preferred_username,
        secret: 'turned',
        shown: 'gnitteS',
        address: '192.0.2.8',
      },
    ])('[S14] a name with $kind is shown as text', async ({ username, secret, shown, address }) => {
      const page = await arrive(address)
      await signInThere(page, username, secret)
      await entry(page).user(shown).waitFor()
      await securityPage(page).open('Users')
      await securityPage(page).user(shown).waitFor()
      expect(await page.locator('img').count()).toBe(0)
      await page.goto(`${given.estate.url}/`)
      await overview(page).ready()
    })
  },
  { env: { PULSE_TRUSTED_PROXIES: '127.0.0.1' } },
)

async function signInThere(page: Page, username: string, password: string) {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
