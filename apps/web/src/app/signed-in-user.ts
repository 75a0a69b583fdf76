import type { SecurityStatus } from '@pulse/contract'

export interface SignedInUser {
  name: string
  via: 'proxy' | 'oidc' | 'local'
  /** where signing out leads; absent when this server alone ends the session */
  logoutUrl?: string
}

/** The proxy's word counts before that of single sign-on, and both before a session of our own. */
export function signedInUser(status: SecurityStatus): SignedInUser | undefined {
  if (status.disabled || status.demo) return undefined
  if (status.hasProxyAuth && status.proxyAuthUsername) {
    return named(status.proxyAuthUsername, 'proxy', status.proxyAuthLogoutURL)
  }
  if (status.oidcUsername) return named(status.oidcUsername, 'oidc', status.oidcLogoutURL)
  return status.user && named(status.user.name, 'local')
}

const named = (name: string, via: SignedInUser['via'], logoutUrl?: string): SignedInUser => ({
  name,
  via,
  ...(logoutUrl && { logoutUrl }),
})
