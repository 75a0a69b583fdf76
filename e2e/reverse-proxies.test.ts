import { createSelfSigned } from '@pulse/lab'
import { once } from 'node:events'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, openBrowser, openVisit } from './browser.ts'
import { entry } from './entry.ts'
import { account } from './estate.ts'
import { type Given, journeys } from './journey.ts'
import { expectText, overview } from './overview.ts'
import { hasProxy, type ProxyName, startProxy } from './release/proxy-program.ts'

interface Answer {
  status: number
  location: string | undefined
  cookies: string[]
  text: string
}

/** An address that the visitor claims; the server must not believe it. */
const claimed = '203.0.113.9'

/** Without a browser, which would follow redirects and hide headers. */
function ask(url: string, method = 'GET', body?: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': claimed, 'content-type': 'application/json' }
    // the certificate was made for the test, and the call contains no secrets
    const asked = request(url, { method, headers, rejectUnauthorized: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      const { location, 'set-cookie': cookies = [] } = answer.headers
      answer.on('end', () => resolve({ status: answer.statusCode!, location, cookies, text }))
    })
    asked.on('error', reject)
    asked.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/**
 * Of requests that wait for a connection, Chromium (156) gives each refused certificate to the most urgent one, such as that
 * for the style sheet, and fails it with ERR_TOO_MANY_RETRIES after 32 of them.
 */
test.skipIf(!hasChromium)('the browser refuses no certificate that was made for the tests', async () => {
  const { keyPem, certPem } = await createSelfSigned('site', '127.0.0.1', 'Examples', Date.now())
  const refused: Error[] = []
  const site = createServer({ key: keyPem, cert: certPem }, (_, reply) => {
    reply.setHeader('content-type', 'text/html').end('<link rel=icon href=data:,><h1>Here</h1>')
  }).on('tlsClientError', (error) => void refused.push(error))
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  const browser = await openBrowser()
  const { page } = await openVisit(browser)
  await page.goto(`https://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  await page.getByRole('heading', { name: 'Here' }).waitFor()
  expect(refused).toEqual([])
  await browser.close()
  site.close()
})

/** The unchanged example files in front of the built product. */
function behind(given: Given, name: ProxyName, example: string, base: string): void {
  describe.skipIf(!hasProxy(name))(example, () => {
    let proxy: Awaited<ReturnType<typeof startProxy>>
    beforeAll(async () => {
      proxy = await startProxy(name, example, given.estate.url)
    })
    afterAll(() => proxy.close())
    const at = (path: string) => proxy.url + base + path

    test('a visitor signs in, sees live figures, and comes back to the page that was open', async () => {
      const visit = await given.open({ signedOut: true, path: at('/') })
      const { page } = visit
      visit.expects(/Failed to load resource: the server responded with a status of 401 /)
      await entry(page).signIn(account)
      const view = overview(page)
      await view.ready()
      await expectText(view.connection).toBe('Connected')
      expect(new URL(page.url()).pathname).toBe(`${base}/proxmox/overview`)
      await page.getByRole('link', { name: 'Storage', exact: true }).click()
      await page.waitForURL(at('/proxmox/storage'))
      await page.reload()
      await expectText(view.connection).toBe('Connected')
      expect(new URL(page.url()).pathname).toBe(`${base}/proxmox/storage`)
      await page.goBack()
      await view.ready()
    })

    test('cookies are for HTTPS and this path alone, and Pulse knows who asks', async () => {
      const { status, cookies } = await ask(at('/api/login'), 'POST', account)
      expect(status).toBe(200)
      const ways = cookies.map((text) => text.split('; ').filter((part) => /^(Path|Secure)/.test(part)))
      expect(ways).toEqual([1, 2].map(() => [`Path=${base || '/'}`, 'Secure']))
      const log = (await given.estate.call('GET', '/api/security/audit?event=login')) as {
        events: { address?: string }[]
      }
      expect(log.events[0]?.address).toBe('127.0.0.1')
    })

    test('redirects lead to this site, and to this path of it', async () => {
      const { status, location } = await ask(at('/api/oidc/callback'))
      expect([status, location]).toEqual([302, `${base}/?oidc=error&oidc_error=oidc_init_failed`])
      if (base === '') return
      const bare = await ask(proxy.url + base)
      expect(bare.status).toBe(301)
      expect(new URL(bare.location!, proxy.url).href.replace(/:\d+/, '')).toBe(`https://127.0.0.1${base}/`)
      expect((await ask(`${proxy.url}/`)).text).not.toContain('Pulse')
    })
  })
}

const env = { PULSE_TRUSTED_PROXIES: '127.0.0.1' }

journeys(
  'Pulse as a site of its own',
  (given) => {
    behind(given, 'nginx', 'nginx.conf', '')
    behind(given, 'haproxy', 'haproxy.cfg', '')
  },
  { env: { ...env, PULSE_PUBLIC_URL: 'https://pulse.example.com' } },
)

journeys(
  'Pulse below a path of a site',
  (given) => {
    behind(given, 'nginx', 'nginx-path.conf', '/pulse')
    behind(given, 'haproxy', 'haproxy-path.cfg', '/pulse')
  },
  { env: { ...env, PULSE_PUBLIC_URL: 'https://example.com/pulse' } },
)
