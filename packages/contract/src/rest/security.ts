import * as z from 'zod/mini'
import { ActorMethod, AuditEvent, AuditRecord } from '../audit.ts'
import { bodyLimits, endpoint, readsSettings } from '../endpoint.ts'
import { Role } from '../roles.ts'
import { TokenChoice, TokenFate, UserName } from './tokens.ts'
import { Done } from './session.ts'

/** An address that forwards requests and is missing in PULSE_TRUSTED_PROXIES. */
export const UndeclaredProxy = z.object({ peer: z.string(), header: z.string() })
export type UndeclaredProxy = z.infer<typeof UndeclaredProxy>

/** Anonymous callers get the first block only. The rest is for authenticated callers. */
export const SecurityStatus = z.object({
  /** authentication switched off by the environment */
  disabled: z.optional(z.boolean()),
  /** demonstration: every visitor is a viewer, nothing can be changed, addresses are masked */
  demo: z.optional(z.boolean()),
  /** explanation of either flag */
  message: z.optional(z.string()),
  /** a sign-in method is set up; false on a fresh installation */
  hasAuthentication: z.boolean(),
  requiresAuth: z.boolean(),
  /** sign-in is set up, but no account has a password, so a password form would be useless */
  noAccount: z.optional(z.boolean()),
  configuredButPendingRestart: z.boolean(),
  oidcEnabled: z.boolean(),
  hasProxyAuth: z.boolean(),
  proxyAuthLogoutURL: z.optional(z.string()),
  hasHTTPS: z.boolean(),
  publicAccess: z.boolean(),
  isPrivateNetwork: z.boolean(),
  isTrustedNetwork: z.boolean(),

  /** the caller */
  user: z.optional(z.object({ name: z.string(), role: Role, method: ActorMethod })),
  clientIP: z.optional(z.string()),
  /** name of the local administrator */
  authUsername: z.optional(z.string()),
  /** RFC 3339 */
  authLastModified: z.optional(z.string()),
  /** account and password come from the environment, so the API cannot change them */
  authFromEnvironment: z.optional(z.boolean()),
  proxyAuthUsername: z.optional(z.string()),
  proxyAuthIsAdmin: z.optional(z.boolean()),
  /** every proxy user is an administrator, because no role header is configured */
  proxyAuthAllAdmin: z.optional(z.boolean()),
  oidcUsername: z.optional(z.string()),
  oidcLogoutURL: z.optional(z.string()),
  oidcIssuer: z.optional(z.string()),
  oidcClientId: z.optional(z.string()),
  oidcEnvOverrides: z.optional(z.record(z.string(), z.boolean())),
  apiTokenConfigured: z.optional(z.boolean()),
  /** prefix…suffix of the newest token */
  apiTokenHint: z.optional(z.string()),
  exportProtected: z.optional(z.boolean()),
  unprotectedExportAllowed: z.optional(z.literal(false)),
  hasAuditLogging: z.optional(z.boolean()),
  credentialsEncrypted: z.optional(z.boolean()),
  /** for administrators; absent when empty */
  undeclaredProxies: z.optional(z.array(UndeclaredProxy)),
  /** kind of installation, for the text of the pending-restart notice */
  deploymentType: z.optional(z.string()),
})
export type SecurityStatus = z.infer<typeof SecurityStatus>

export const minPasswordLength = 8
/** argon2id has no 72-byte limit like bcrypt; this limit keeps hashing cheap */
export const maxPasswordLength = 256

export const NewPassword = z
  .string()
  .check(
    z.minLength(minPasswordLength, 'Password must be at least 8 characters'),
    z.maxLength(maxPasswordLength),
  )

/**
 * First setup (with the one-time token) or, with `force`, the replacement of an administrator's credentials.
 */
export const QuickSetupInput = z.strictObject({
  username: UserName,
  password: NewPassword,
  /** stored as the API token "Primary token"; 48 or 64 hex digits */
  apiToken: z
    .string()
    .check(
      z.regex(/^(?:[0-9a-fA-F]{48}|[0-9a-fA-F]{64})$/, 'The API token must be 48 or 64 hexadecimal digits'),
    ),
  /** the one-time token of the first start; alternatively in the header X-Setup-Token */
  setupToken: z.optional(z.string().check(z.maxLength(256))),
  force: z.optional(z.boolean()),
  enableNotifications: z.optional(z.boolean()),
  darkMode: z.optional(z.boolean()),
})
export type QuickSetupInput = z.infer<typeof QuickSetupInput>

export const QuickSetupReply = z.object({
  success: z.literal(true),
  /** nothing changed: sign-in was already set up */
  skipped: z.optional(z.boolean()),
  message: z.string(),
  method: z.optional(z.string()),
  deploymentType: z.optional(z.string()),
  requiresManualRestart: z.optional(z.boolean()),
})
export type QuickSetupReply = z.infer<typeof QuickSetupReply>

export const User = z.object({
  id: z.string(),
  name: z.string(),
  role: Role,
  /** local: password stored here; environment: fixed by PULSE_AUTH_USER; oidc: created by single sign-on */
  source: z.enum(['local', 'environment', 'oidc']),
  /** pulse.yaml fixes role and password */
  managed: z.optional(z.boolean()),
  createdAt: z.string(),
  lastLoginAt: z.optional(z.string()),
})
export type User = z.infer<typeof User>

export const NewUserInput = z.strictObject({ name: UserName, password: NewPassword, role: Role })
export type NewUserInput = z.infer<typeof NewUserInput>

/** Absent fields keep their values. */
export const UserChangeInput = z.strictObject({
  role: z.optional(Role),
  password: z.optional(NewPassword),
  /** fate of the tokens of a user who loses the administrator role; default: they end */
  tokens: z.optional(TokenChoice),
})
export type UserChangeInput = z.infer<typeof UserChangeInput>

const userParams = z.object({ id: z.string().check(z.minLength(1), z.maxLength(64)) })
const manage = { access: 'admin', scope: 'all', rate: 'config' } as const

export const getSecurityStatus = endpoint({
  method: 'GET',
  path: '/api/security/status',
  access: 'public',
  rate: 'public',
  reply: SecurityStatus,
})

export const postQuickSetup = endpoint({
  method: 'POST',
  path: '/api/security/quick-setup',
  access: 'public',
  rate: 'auth',
  audit: 'own',
  body: QuickSetupInput,
  bodyLimit: bodyLimits.auth,
  reply: QuickSetupReply,
})

export const postChangePassword = endpoint({
  method: 'POST',
  path: '/api/security/change-password',
  access: 'user',
  scope: 'none',
  rate: 'auth',
  audit: 'own',
  body: z.strictObject({
    currentPassword: z.string().check(z.minLength(1), z.maxLength(1024)),
    newPassword: NewPassword,
  }),
  bodyLimit: bodyLimits.auth,
  reply: z.object({ ...Done.shape, requiresRestart: z.optional(z.boolean()) }),
})

export const postResetLockout = endpoint({
  ...manage,
  method: 'POST',
  path: '/api/security/reset-lockout',
  audit: 'lockout_reset',
  /** a user name or an address */
  body: z.strictObject({ identifier: z.string().check(z.minLength(1), z.maxLength(256)) }),
  bodyLimit: bodyLimits.auth,
  reply: Done,
})

export const getUsers = endpoint({
  ...readsSettings,
  path: '/api/security/users',
  reply: z.object({ users: z.array(User) }),
})

export const postUser = endpoint({
  ...manage,
  method: 'POST',
  path: '/api/security/users',
  audit: 'user_added',
  body: NewUserInput,
  bodyLimit: bodyLimits.auth,
  reply: User,
  status: 201,
})

export const putUser = endpoint({
  ...manage,
  method: 'PUT',
  path: '/api/security/users/:id',
  audit: 'user_changed',
  params: userParams,
  body: UserChangeInput,
  bodyLimit: bodyLimits.auth,
  reply: z.extend(User, { tokens: z.optional(TokenFate) }),
})

export const deleteUser = endpoint({
  ...manage,
  method: 'DELETE',
  path: '/api/security/users/:id',
  audit: 'user_removed',
  params: userParams,
  /** fate of the API tokens that the user created; default: they end */
  query: z.strictObject({ tokens: z.optional(TokenChoice) }),
  reply: z.object({ ...Done.shape, tokens: TokenFate }),
})

export const auditPageLimit = 200

export const getAudit = endpoint({
  ...readsSettings,
  path: '/api/security/audit',
  query: z.strictObject({
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(auditPageLimit))),
    /** only records before the one with this id */
    before: z.optional(z.string().check(z.maxLength(64))),
    event: z.optional(AuditEvent),
  }),
  /** newest first; `next` is the `before` of the next page */
  reply: z.object({ events: z.array(AuditRecord), next: z.optional(z.string()) }),
})
