import type { OidcConfig, SecurityStatus, UndeclaredProxy } from '@pulse/contract'
import type { ApiTokens } from './api-tokens.ts'
import type { Caller } from './caller.ts'
import type { Identity } from './identify.ts'
import { type Networks, privateNetworks } from './networks.ts'
import type { Principal } from './principal.ts'
import type { ProxyAuth } from './proxy.ts'
import type { Users } from './users.ts'

export interface StatusEdges {
  users: Users
  tokens: ApiTokens
  proxy: ProxyAuth | undefined
  oidc: () => Pick<SecurityStatus, 'oidcIssuer' | 'oidcClientId' | 'oidcLogoutURL'> & {
    oidcEnabled: boolean
    oidcEnvOverrides?: OidcConfig['envOverrides']
  }
  disabled: boolean
  demo: boolean
  isConfigured: () => boolean
  /** undefined: private networks count as trusted */
  trustedNetworks: Networks | undefined
  isPendingRestart: () => boolean
  undeclaredProxies: () => readonly UndeclaredProxy[]
  deploymentType: string
}

/** The notice for visitors in demo mode. */
export const demoText = 'Demo mode: read-only, nothing can be changed.'

/** Strangers learn only how to sign in. Their credentials are never checked here. */
export function createSecurityStatus(edges: StatusEdges) {
  const { users, tokens, proxy, oidc, disabled, isConfigured, trustedNetworks } = edges

  const hasPasswords = () => users.list().some(({ source }) => source !== 'oidc')

  function forEverybody(caller: Caller): SecurityStatus {
    const isPrivateNetwork = privateNetworks.has(caller.client)
    return {
      ...(disabled
        ? {
            disabled: true,
            message: 'Authentication is switched off by DISABLE_AUTH. Pulse admits only this machine.',
          }
        : {}),
      hasAuthentication: !disabled && isConfigured(),
      requiresAuth: !disabled && isConfigured(),
      ...(!disabled && isConfigured() && !hasPasswords() ? { noAccount: true } : {}),
      configuredButPendingRestart: edges.isPendingRestart(),
      oidcEnabled: oidc().oidcEnabled,
      hasProxyAuth: proxy !== undefined,
      ...(proxy?.logoutUrl ? { proxyAuthLogoutURL: proxy.logoutUrl } : {}),
      hasHTTPS: caller.https,
      isPrivateNetwork,
      isTrustedNetwork: trustedNetworks ? trustedNetworks.has(caller.client) : isPrivateNetwork,
      publicAccess: !isPrivateNetwork,
    }
  }

  /** Visitors cannot sign in, so no sign-in method is listed. */
  function forVisitor(caller: Caller, { name, role, method }: Principal): SecurityStatus {
    const { disabled: _, proxyAuthLogoutURL: _url, ...open } = forEverybody(caller)
    return {
      ...open,
      demo: true,
      message: demoText,
      hasAuthentication: true,
      requiresAuth: false,
      oidcEnabled: false,
      hasProxyAuth: false,
      user: { name, role, method },
      deploymentType: edges.deploymentType,
    }
  }

  return function securityStatus({ principal }: Identity, caller: Caller): SecurityStatus {
    const open = forEverybody(caller)
    if (!principal) return open
    if (edges.demo) return forVisitor(caller, principal)
    const { oidcEnabled: _, oidcLogoutURL, oidcIssuer, oidcClientId, oidcEnvOverrides } = oidc()
    const isAdmin = principal.role === 'admin'
    const [newest] = tokens.list()
    const own = principal.userId === undefined ? undefined : users.get(principal.userId)
    const local = own && own.source !== 'oidc' ? own : undefined
    const account = local ?? (isAdmin ? users.environmentUser() : undefined)
    return {
      ...open,
      ...(disabled ? {} : { user: { name: principal.name, role: principal.role, method: principal.method } }),
      clientIP: caller.client,
      ...(account
        ? { authUsername: account.name, authFromEnvironment: account.source === 'environment' }
        : {}),
      ...(account?.password_changed_at
        ? { authLastModified: new Date(account.password_changed_at).toISOString() }
        : {}),
      ...(principal.method === 'proxy'
        ? { proxyAuthUsername: principal.name, proxyAuthIsAdmin: isAdmin, proxyAuthAllAdmin: !proxy?.role }
        : {}),
      ...(principal.method === 'oidc'
        ? { oidcUsername: principal.name, ...(oidcLogoutURL ? { oidcLogoutURL } : {}) }
        : {}),
      ...(isAdmin && oidcIssuer ? { oidcIssuer } : {}),
      ...(isAdmin && oidcClientId ? { oidcClientId } : {}),
      ...(isAdmin && oidcEnvOverrides ? { oidcEnvOverrides } : {}),
      apiTokenConfigured: newest !== undefined,
      ...(isAdmin && newest ? { apiTokenHint: `${newest.prefix}…${newest.suffix}` } : {}),
      exportProtected: !disabled || newest !== undefined,
      unprotectedExportAllowed: false,
      hasAuditLogging: true,
      credentialsEncrypted: true,
      ...(isAdmin && edges.undeclaredProxies().length > 0
        ? { undeclaredProxies: [...edges.undeclaredProxies()] }
        : {}),
      deploymentType: edges.deploymentType,
    }
  }
}
