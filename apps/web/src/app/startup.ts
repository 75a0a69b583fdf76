import { type SecurityStatus, getSecurityStatus, getState } from '@pulse/contract'
import type { Api } from '../api/client.ts'
import { readStored, writeStored } from '../lib/storage.ts'

/** The next screen. The status is absent if the page did not request it or could not load it. */
export type Startup =
  | {
      screen: 'login'
      reason: 'logged-out' | 'not-configured' | 'unauthenticated' | 'ended'
      status?: SecurityStatus
    }
  | {
      screen: 'app'
      why: 'disabled' | 'demo' | 'user' | 'admitted' | 'check-failed'
      status?: SecurityStatus
    }

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
  if (status.disabled) return { screen: 'app', why: 'disabled', status }
  if (status.demo) return { screen: 'app', why: 'demo', status }
  if (signedInUser(status)) return { screen: 'app', why: 'user', status }
  if (!isConfigured(status)) return { screen: 'login', reason: 'not-configured', status }
  const answer = await steps.probeState()
  return answer === 401
    ? { screen: 'login', reason: 'unauthenticated', status }
    : { screen: 'app', why: 'admitted', status }
}

/** Applies a later status. The session may have ended, or the user may have signed in in another tab. */
export function followStatus(current: Startup, status: SecurityStatus): Startup {
  const known = signedInUser(status) !== undefined
  if (current.screen === 'login') {
    // the first setup shows its credentials only once, so nothing may replace it
    const signsIn = current.reason !== 'not-configured'
    return known && signsIn ? { screen: 'app', why: 'user', status } : current
  }
  if (known || status.disabled || status.demo) return { ...current, status }
  if (!isConfigured(status)) return { screen: 'login', reason: 'not-configured', status }
  return status.requiresAuth ? { screen: 'login', reason: 'ended', status } : { ...current, status }
}

/** Access depends on the status alone. */
export const isAdmitted = (status: SecurityStatus): boolean =>
  status.disabled === true || status.demo === true || signedInUser(status) !== undefined

const isConfigured = ({ hasAuthentication, requiresAuth }: SecurityStatus) =>
  hasAuthentication || requiresAuth

export interface SignedInUser {
  name: string
  via: 'proxy' | 'oidc' | 'local'
  /** logout address; absent if only this server ends the session */
  logoutUrl?: string
}

/** Precedence: proxy, single sign-on, own session. */
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

export const justLoggedOutKey = 'just_logged_out'

export const wasJustLoggedOut = () => readStored(justLoggedOutKey) !== null

export function browserStartupSteps(api: Api): StartupSteps {
  return {
    takeJustLoggedOut() {
      if (!wasJustLoggedOut()) return false
      writeStored(justLoggedOutKey, null)
      return true
    },
    fetchSecurityStatus: () => api.call(getSecurityStatus),
    async probeState() {
      const response = await api.send(getState.path)
      // only the status code matters, because the state itself arrives over the live connection
      await response.body?.cancel()
      return response.status
    },
  }
}
