import { allScopes, type Scope } from '@pulse/contract'

/** Permissions that a scope grants. */
export const scopeTexts: Record<Scope, string> = {
  'monitoring:read': 'See nodes, guests, storage, backups and alerts',
  'monitoring:write': 'Acknowledge alerts and edit guest links',
  'settings:read': 'See settings, users and the audit log',
  'settings:write': 'Change monitored nodes and settings',
  'docker:report': 'Report as the agent of a Docker host',
  'docker:manage': 'Stop, hide and remove Docker hosts',
}

export const hasFullAccess = (scopes: readonly Scope[]): boolean =>
  allScopes.every((scope) => scopes.includes(scope))

/** The token has scopes other than this one. */
export const hasOtherScopes = (scopes: readonly Scope[], one: Scope): boolean =>
  scopes.some((scope) => scope !== one)
