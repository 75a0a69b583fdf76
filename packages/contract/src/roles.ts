import * as z from 'zod/mini'

/** An administrator may change the product; a viewer sees it. */
export const Role = z.enum(['admin', 'viewer'])
export type Role = z.infer<typeof Role>

/** Permissions of an API token. */
export const Scope = z.enum([
  'monitoring:read',
  'monitoring:write',
  'settings:read',
  'settings:write',
  'docker:report',
  'docker:manage',
])
export type Scope = z.infer<typeof Scope>

export const allScopes: readonly Scope[] = Scope.options

/** All scopes that a viewer's token may have. */
export const viewerScopes: readonly Scope[] = ['monitoring:read']
