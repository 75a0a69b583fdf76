import type { SecurityStatus } from '@pulse/contract'

/** Sign-in is set up, and the caller is anonymous. */
export const aSecurityStatus = (change: Partial<SecurityStatus> = {}): SecurityStatus => ({
  hasAuthentication: true,
  requiresAuth: true,
  configuredButPendingRestart: false,
  oidcEnabled: false,
  hasProxyAuth: false,
  hasHTTPS: false,
  publicAccess: false,
  isPrivateNetwork: true,
  isTrustedNetwork: true,
  ...change,
})
