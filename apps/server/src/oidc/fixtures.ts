import type { OidcConfigInput } from '@pulse/contract'
import { acceleratedClock } from '@pulse/testkit'
import type { Clock } from '@pulse/domain'
import type { SettingsTable } from '../db/settings.ts'
import { memorySettings } from '../testing/memory-settings.ts'
import { createOidc, type OidcArea } from './single-sign-on.ts'
import { readOidcEnvironment } from './environment.ts'

export const publicUrl = 'http://pulse.test:7655'
export const callbackUrl = `${publicUrl}/api/oidc/callback`

export const secret = 'canary-client-secret'
export const person = {
  sub: 'u-1',
  preferred_username: 'alice',
  email: 'alice@example.test',
  email_verified: true,
  groups: ['ops'],
}

type Claims = Record<string, unknown>
export const without = (name: string) => (claims: Claims) => ({ ...claims, [name]: undefined })
export const withClaim = (more: Claims) => (claims: Claims) => ({ ...claims, ...more })

/** A started area with its log. */
export async function anArea(
  settings: OidcConfigInput = {},
  given: { clock?: Clock; env?: NodeJS.ProcessEnv; store?: SettingsTable } = {},
) {
  const edges = memorySettings(given.store)
  const area = createOidc({
    ...edges,
    env: readOidcEnvironment(given.env ?? {}),
    issuerOf: async () => null,
    clock: given.clock ?? acceleratedClock(20, Date.now()),
  })
  await area.start()
  if (Object.keys(settings).length > 0) await area.change(settings)
  return { area, ...edges }
}

/** Signs a browser in at a provider that asks for nothing, and returns the parameters of the callback. */
export async function visit(area: OidcArea, returnTo?: string) {
  const { authorizationUrl, browserKey } = await area.begin({ returnTo, publicUrl })
  const response = await fetch(authorizationUrl, { redirect: 'manual' })
  const back = new URL(response.headers.get('location')!)
  return { query: Object.fromEntries(back.searchParams), browserKey, back, authorizationUrl }
}

export interface Page {
  url: URL
  status: number
  html: string
}

/**
 * Follows redirects and keeps cookies, like a browser. Stops before the first URL for which `stop` is true.
 */
export function aBrowser(stop: (url: URL) => boolean) {
  const jars = new Map<string, Map<string, string>>()

  function jarOf(origin: string): Map<string, string> {
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    return jar
  }

  async function open(address: string | URL, form?: Record<string, string>): Promise<Page> {
    const url = new URL(address)
    if (stop(url)) return { url, status: 0, html: '' }
    const jar = jarOf(url.origin)
    const response = await fetch(url, {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
      ...(form && { body: new URLSearchParams(form) }),
    })
    for (const text of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(text)!
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(text)) jar.delete(name!)
      else jar.set(name!, value!)
    }
    const location = response.headers.get('location')
    if (location) return open(new URL(location, url))
    return { url, status: response.status, html: await response.text() }
  }

  return {
    open,
    cookies: jarOf,
    /** Submits the form of a page, including its hidden fields. */
    submit({ url, html }: Page, fields: Record<string, string>): Promise<Page> {
      const action = /<form[^>]* action="([^"]*)"/.exec(html)![1]!
      const hidden = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
      return open(new URL(action, url), {
        ...Object.fromEntries(hidden.map(([, name, value]) => [name!, value!])),
        ...fields,
      })
    },
  }
}
