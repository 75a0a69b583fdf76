import * as z from 'zod/mini'
import { bodyLimits, endpoint, readsSettings } from '../endpoint.ts'

/** Values of `oidc_error` in the callback's redirect. The login screen has a text for each. */
export const OidcErrorCode = z.enum([
  'oidc_init_failed',
  'missing_state',
  'invalid_state',
  'missing_code',
  'exchange_failed',
  'missing_id_token',
  'invalid_id_token',
  'invalid_signature_alg',
  'invalid_nonce',
  'invalid_claims',
  'email_restricted',
  'domain_restricted',
  'group_restricted',
  'session_failed',
  'access_denied',
  'login_required',
  'provider_error',
])
export type OidcErrorCode = z.infer<typeof OidcErrorCode>

export const oidcDefaults = {
  scopes: ['openid', 'profile', 'email'],
  usernameClaim: 'preferred_username',
  emailClaim: 'email',
  callbackPath: '/api/oidc/callback',
} as const

const text = (max: number) => z.string().check(z.trim(), z.maxLength(max))
const list = z.array(text(256).check(z.minLength(1))).check(z.maxLength(100))

const settings = {
  enabled: z.boolean(),
  issuerUrl: text(2048),
  clientId: text(512),
  /** empty: derived from the public address */
  redirectUrl: text(2048),
  logoutUrl: text(2048),
  scopes: list,
  usernameClaim: text(128),
  emailClaim: text(128),
  /** empty: no groups are read */
  groupsClaim: text(128),
  allowedGroups: list,
  allowedDomains: list,
  allowedEmails: list,
  /** groups with administrator rights; all other users are viewers */
  adminGroups: list,
  /** without administrator groups: every allowed user is an administrator instead of a viewer */
  everyoneIsAdmin: z.boolean(),
}

export const OidcConfig = z.object({
  ...settings,
  clientSecretSet: z.boolean(),
  /** used when redirectUrl is empty */
  defaultRedirect: z.string(),
  /** field → true if the environment fixes it; any such field locks the form */
  envOverrides: z.optional(z.record(z.string(), z.boolean())),
})
export type OidcConfig = z.infer<typeof OidcConfig>

/** Absent fields keep their values; an absent or empty client secret keeps the stored one. */
export const OidcConfigInput = z.strictObject({
  ...(Object.fromEntries(Object.entries(settings).map(([key, schema]) => [key, z.optional(schema)])) as {
    [K in keyof typeof settings]: z.ZodMiniOptional<(typeof settings)[K]>
  }),
  clientSecret: z.optional(z.string().check(z.maxLength(2048))),
  clearClientSecret: z.optional(z.boolean()),
})
export type OidcConfigInput = z.infer<typeof OidcConfigInput>

export const OidcLoginReply = z.object({ authorizationUrl: z.string() })
export type OidcLoginReply = z.infer<typeof OidcLoginReply>

export const getOidcConfig = endpoint({
  ...readsSettings,
  path: '/api/security/oidc',
  reply: OidcConfig,
})

export const putOidcConfig = endpoint({
  method: 'PUT',
  path: '/api/security/oidc',
  access: 'admin',
  scope: 'all',
  rate: 'config',
  audit: 'oidc_settings_changed',
  body: OidcConfigInput,
  bodyLimit: bodyLimits.settings,
  reply: OidcConfig,
})

export const postOidcLogin = endpoint({
  method: 'POST',
  path: '/api/oidc/login',
  access: 'public',
  rate: 'auth',
  audit: 'none',
  /** destination after signing in: a path of this site */
  body: z.strictObject({ returnTo: z.optional(z.string().check(z.maxLength(2048))) }),
  bodyLimit: bodyLimits.auth,
  reply: OidcLoginReply,
})

const shortText = z.optional(z.string().check(z.maxLength(8192)))

/** Redirects to the page, without a body. Providers add their own parameters. */
export const getOidcCallback = endpoint({
  method: 'GET',
  path: '/api/oidc/callback',
  access: 'public',
  rate: 'auth',
  query: z.looseObject({ code: shortText, state: shortText, error: shortText, iss: shortText }),
  media: 'redirect',
})
