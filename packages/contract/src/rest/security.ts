import * as z from 'zod/mini'

export const SecurityStatus = z.object({
  /** authentication switched off by the administrator */
  disabled: z.optional(z.boolean()),
  hasAuthentication: z.boolean(),
  requiresAuth: z.boolean(),
  hasProxyAuth: z.boolean(),
  proxyAuthUsername: z.optional(z.string()),
  proxyAuthIsAdmin: z.optional(z.boolean()),
  proxyAuthLogoutURL: z.optional(z.string()),
  authUsername: z.optional(z.string()),
  oidcEnabled: z.boolean(),
  oidcUsername: z.optional(z.string()),
  oidcLogoutURL: z.optional(z.string()),
  apiTokenConfigured: z.boolean(),
  apiTokenHint: z.optional(z.string()),
  exportProtected: z.boolean(),
  unprotectedExportAllowed: z.boolean(),
  hasHTTPS: z.boolean(),
  hasAuditLogging: z.boolean(),
  publicAccess: z.boolean(),
  isPrivateNetwork: z.boolean(),
  clientIP: z.optional(z.string()),
  configuredButPendingRestart: z.boolean(),
})
export type SecurityStatus = z.infer<typeof SecurityStatus>

export const LoginReply = z.object({
  success: z.boolean(),
  message: z.optional(z.string()),
  remainingMinutes: z.optional(z.number()),
  remaining: z.optional(z.number()),
  locked: z.optional(z.boolean()),
})
export type LoginReply = z.infer<typeof LoginReply>

export const OidcLoginReply = z.object({ authorizationUrl: z.string() })
export type OidcLoginReply = z.infer<typeof OidcLoginReply>

/** theme is empty while the user has not chosen one. */
export const SystemSettings = z.object({ theme: z.enum(['dark', 'light', '']) })
export type SystemSettings = z.infer<typeof SystemSettings>
