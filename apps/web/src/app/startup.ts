import type { SecurityStatus } from '@pulse/contract'
import { signedInUser } from './signed-in-user.ts'

/** The next screen, as data. The status is absent where it was not asked for or could not be had. */
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

/** What a later answer of the server means: who was in may be out, and who signed in in another tab is in here too. */
export function followStatus(current: Startup, status: SecurityStatus): Startup {
  const known = signedInUser(status) !== undefined
  if (current.screen === 'login') {
    // the first setup shows its credentials once: nothing may take them away
    const signsIn = current.reason !== 'not-configured'
    return known && signsIn ? { screen: 'app', why: 'user', status } : current
  }
  if (known || status.disabled || status.demo) return { ...current, status }
  if (!isConfigured(status)) return { screen: 'login', reason: 'not-configured', status }
  return status.requiresAuth ? { screen: 'login', reason: 'ended', status } : { ...current, status }
}

/** The status alone says that the caller may come in. */
export const isAdmitted = (status: SecurityStatus): boolean =>
  status.disabled === true || status.demo === true || signedInUser(status) !== undefined

const isConfigured = ({ hasAuthentication, requiresAuth }: SecurityStatus) =>
  hasAuthentication || requiresAuth
