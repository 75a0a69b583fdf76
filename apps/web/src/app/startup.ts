import type { SecurityStatus } from '@pulse/contract'

export interface SignedInUser {
  name: string
  via: 'proxy' | 'oidc'
  /** where signing out leads; absent when this server ends the session itself */
  logoutUrl?: string
}

/** The next screen, as data. */
export type Startup =
  | { screen: 'login'; reason: 'logged-out' | 'not-configured' | 'unauthenticated' }
  | { screen: 'app'; why: 'disabled' | 'user' | 'admitted' | 'check-failed'; user?: SignedInUser }

export interface StartupSteps {
  /** reads the just-logged-out flag and clears it */
  takeJustLoggedOut(): boolean
  fetchSecurityStatus(): Promise<SecurityStatus>
  /** the HTTP status of the state endpoint */
  probeState(): Promise<number>
}

export async function decideStartup(steps: StartupSteps): Promise<Startup> {
  if (steps.takeJustLoggedOut()) return { screen: 'login', reason: 'logged-out' }
  try {
    return await decideByStatus(await steps.fetchSecurityStatus(), steps)
  } catch {
    return { screen: 'app', why: 'check-failed' }
  }
}

async function decideByStatus(status: SecurityStatus, steps: StartupSteps): Promise<Startup> {
  if (status.disabled) return { screen: 'app', why: 'disabled' }
  const user = proxyUser(status) ?? oidcUser(status)
  if (user) return { screen: 'app', why: 'user', user }
  if (!status.hasAuthentication && !status.requiresAuth) return { screen: 'login', reason: 'not-configured' }
  const answer = await steps.probeState()
  return answer === 401 ? { screen: 'login', reason: 'unauthenticated' } : { screen: 'app', why: 'admitted' }
}

function proxyUser(status: SecurityStatus): SignedInUser | undefined {
  if (!status.hasProxyAuth || !status.proxyAuthUsername) return undefined
  return signedIn(status.proxyAuthUsername, 'proxy', status.proxyAuthLogoutURL)
}

function oidcUser(status: SecurityStatus): SignedInUser | undefined {
  if (!status.oidcUsername) return undefined
  return signedIn(status.oidcUsername, 'oidc', status.oidcLogoutURL)
}

const signedIn = (name: string, via: SignedInUser['via'], logoutUrl: string | undefined): SignedInUser => ({
  name,
  via,
  ...(logoutUrl && { logoutUrl }),
})
