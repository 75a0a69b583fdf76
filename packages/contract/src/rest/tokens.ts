import * as z from 'zod/mini'
import { bodyLimits, endpoint, readsSettings } from '../endpoint.ts'
import { Scope } from '../roles.ts'

/** No control characters and no marks that change text direction, so a name cannot look like another one. */
const plainName = z.regex(
  /^[^\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]*$/u,
  'A name cannot contain control characters or direction marks',
)
export const UserName = z.string().check(z.trim(), z.minLength(1), z.maxLength(128), plainName)
export const TokenName = z.string().check(z.trim(), z.maxLength(128), plainName)

export const ApiToken = z.object({
  id: z.string(),
  name: z.string(),
  /** first 6 characters */
  prefix: z.string(),
  /** last 4 characters */
  suffix: z.string(),
  scopes: z.array(Scope),
  /** RFC 3339 */
  createdAt: z.string(),
  lastUsedAt: z.optional(z.string()),
  expiresAt: z.optional(z.string()),
  /** environment: set by API_TOKENS, so the API cannot revoke it */
  source: z.enum(['user', 'environment']),
  /** `user:{account id}`, `proxy:{name}` or `token:{id}`; absent if unknown */
  madeBy: z.optional(z.object({ id: z.string(), name: z.string() })),
  /** id of the token that created it; both end together */
  madeWith: z.optional(z.string()),
  /** bound to the first Docker host that reports with it */
  oneHost: z.optional(z.boolean()),
  /** the bound host */
  boundHost: z.optional(z.object({ id: z.string(), name: z.string() })),
})
export type ApiToken = z.infer<typeof ApiToken>

export const defaultTokenName = 'API token'

export const NewTokenInput = z.strictObject({
  name: z.optional(TokenName),
  /** default: all scopes */
  scopes: z.optional(z.array(Scope).check(z.minLength(1), z.maxLength(Scope.options.length))),
  /** RFC 3339, in the future; default: never */
  expiresAt: z.optional(z.iso.datetime({ offset: true })),
  /** for the agent of one Docker host only */
  oneHost: z.optional(z.boolean()),
})
export type NewTokenInput = z.infer<typeof NewTokenInput>

export const NewTokenReply = z.object({
  /** shown only here */
  token: z.string(),
  record: ApiToken,
})
export type NewTokenReply = z.infer<typeof NewTokenReply>

/** The fate of a former administrator's tokens: they end, or the caller takes them over. */
export const TokenChoice = z.enum(['end', 'keep'])
export type TokenChoice = z.infer<typeof TokenChoice>

/** The affected tokens. */
export const TokenFate = z.object({ ended: z.array(ApiToken), kept: z.array(ApiToken) })
export type TokenFate = z.infer<typeof TokenFate>

const manage = { access: 'admin', scope: 'all', rate: 'config' } as const

export const getTokens = endpoint({
  ...readsSettings,
  path: '/api/security/tokens',
  reply: z.object({ tokens: z.array(ApiToken) }),
})

export const postToken = endpoint({
  ...manage,
  method: 'POST',
  path: '/api/security/tokens',
  audit: 'token_created',
  body: NewTokenInput,
  bodyLimit: bodyLimits.auth,
  reply: NewTokenReply,
})

export const deleteToken = endpoint({
  ...manage,
  method: 'DELETE',
  path: '/api/security/tokens/:id',
  audit: 'token_revoked',
  params: z.object({ id: z.string().check(z.minLength(1), z.maxLength(64)) }),
  status: 204,
})

/** Replaces all tokens that users created with a new one. */
export const postRegenerateToken = endpoint({
  ...manage,
  method: 'POST',
  path: '/api/security/regenerate-token',
  audit: 'tokens_replaced',
  reply: z.object({
    success: z.literal(true),
    token: z.string(),
    deploymentType: z.string(),
    requiresRestart: z.literal(false),
    message: z.string(),
  }),
})

export const postValidateToken = endpoint({
  ...manage,
  method: 'POST',
  path: '/api/security/validate-token',
  rate: 'auth',
  audit: 'none',
  body: z.strictObject({ token: z.string().check(z.maxLength(256)) }),
  bodyLimit: bodyLimits.auth,
  reply: z.object({ valid: z.boolean(), message: z.string() }),
})
