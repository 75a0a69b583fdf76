import { getOidcCallback, getOidcConfig, postOidcLogin, putOidcConfig } from '@pulse/contract'
import { changeOfDestination } from '@pulse/domain'
import { AppError } from '../app-error.ts'
import type { Area } from '../area.ts'
import type { Audit } from '../auth/audit.ts'
import type { Caller } from '../auth/caller.ts'
import { readCookies, setCookie as cookieText } from '../auth/cookies.ts'
import type { Database } from '../db/database.ts'
import { principalOf, RawReply, route } from '../http/route.ts'
import type { OidcIdentity } from './claims.ts'
import { issuerIn } from './document.ts'
import type { OidcEnvironment } from './environment.ts'
import { withOutcome } from './return-to.ts'
import type { OidcOutcome, OidcRefusal } from './sign-in.ts'
import { createOidc, type OidcArea, type OidcEdges } from './single-sign-on.ts'

export interface OidcAreaEdges extends Omit<OidcEdges, 'env' | 'issuerOf'> {
  config: { oidc: OidcEnvironment }
  db: Database
}

/** Single sign-on: its settings and the sign-in at the provider. */
export function oidcArea({ config, db, ...edges }: OidcAreaEdges): OidcArea & Area {
  const oidc = createOidc({ ...edges, env: config.oidc, issuerOf: issuerIn(db) })
  return {
    ...oidc,
    name: 'single sign-on',
    caches: [{ ...oidc, tables: ['settings'] }],
  }
}

/**
 * Binds a sign-in to the browser that began it. SameSite is Lax because the provider redirects the browser
 * from another site.
 */
const browserCookie = 'pulse_oidc'
const cookiePath = '/api/oidc'
const cookieSeconds = 10 * 60

interface OidcParts {
  oidc: OidcArea
  /** the configured URL; otherwise the caller's address for this server is used */
  publicUrl: string | undefined
  access: {
    /** the cookies of a new session */
    signInByOidc: (identity: OidcIdentity, caller: Caller) => Promise<string[]>
    audit: Pick<Audit, 'record'>
  }
}

/** The single sign-on calls. They depend on the area that creates sessions. */
export function oidcCallsArea({ oidc, publicUrl, access }: OidcParts): Area {
  const { signInByOidc: signIn, audit } = access
  const siteOf = (caller: Caller) => publicUrl ?? caller.site

  async function enter(outcome: OidcOutcome, caller: Caller): Promise<Entry> {
    if (!outcome.ok) return outcome
    const { identity, returnTo } = outcome
    try {
      return { ...outcome, cookies: await signIn(identity, caller) }
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'no session'
      return { ok: false, code: 'session_failed', returnTo, reason, who: identity.name }
    }
  }

  const routes = [
    route(getOidcConfig, ({ caller }) => oidc.config(siteOf(caller))),
    route(putOidcConfig, async ({ body, caller, identity, note }) => {
      const before = { address: oidc.config().issuerUrl }
      try {
        const after = await oidc.change(body, siteOf(caller))
        const move = changeOfDestination(before, { address: after.issuerUrl })
        note({ details: [move, Object.keys(body).join(', ')].filter(Boolean).join('; ') })
        return after
      } catch (error) {
        if (error instanceof AppError && error.code === 'secret_required') {
          const event = 'oidc_settings_changed'
          const by = principalOf({ identity })
          await audit.record({ event, success: false, by, caller, details: error.message })
        }
        throw error
      }
    }),
    route(postOidcLogin, async ({ body, caller, setCookie }) => {
      const site = siteOf(caller)
      if (site === undefined) throw new AppError('bad_request', 'The request has no valid Host header.')
      const { authorizationUrl, browserKey } = await oidc.begin({ returnTo: body.returnTo, publicUrl: site })
      const { https } = caller
      setCookie(cookieText(browserCookie, browserKey, { https, maxAge: cookieSeconds, path: cookiePath }))
      return { authorizationUrl }
    }),
    route(getOidcCallback, async ({ query, caller, setCookie }) => {
      const browserKey = readCookies(caller.headers.cookie)[browserCookie]
      const entry = await enter(await oidc.finish({ query: textsOf(query), browserKey }), caller)
      // An answer that matches no sign-in of this browser must not end a sign-in in progress.
      if (entry.ok || !['invalid_state', 'missing_state'].includes(entry.code)) {
        setCookie(cookieText(browserCookie, '', { https: caller.https, maxAge: 0, path: cookiePath }))
      }
      if (entry.ok) for (const cookie of entry.cookies) setCookie(cookie)
      await audit.record({ ...recordOf(entry), caller })
      return redirect(withOutcome(entry.returnTo, entry.ok ? undefined : entry.code))
    }),
  ]
  return { name: 'the calls of single sign-on', isLed: true, routes }
}

/** The result of a sign-in: the cookies of a session, or the refusal. */
type Entry = (Extract<OidcOutcome, { ok: true }> & { cookies: string[] }) | OidcRefusal

function recordOf(entry: Entry) {
  if (entry.ok) {
    const { name, issuer, subject } = entry.identity
    return { event: 'oidc_login', by: { name, method: 'oidc' }, details: `${subject} at ${issuer}` } as const
  }
  const { who = '', code, reason } = entry
  const details = `${code}: ${reason}`
  return { event: 'oidc_login_failed', success: false, by: { name: who, method: 'oidc' }, details } as const
}

const textsOf = (query: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )

const redirect = (location: string) =>
  new RawReply(Buffer.alloc(0), { location, 'content-type': 'text/plain; charset=utf-8' }, 302)
