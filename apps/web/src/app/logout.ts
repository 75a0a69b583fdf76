import { postLogout } from '@pulse/contract'
import type { Api } from '../api/client.ts'
import { log } from '../lib/log.ts'
import { readStored, writeStored } from '../lib/storage.ts'
import type { SignedInUser } from './signed-in-user.ts'
import { justLoggedOutKey } from './startup-steps.ts'
import { basePath } from '../lib/base-path.ts'

const kept = 'darkMode'

export interface Leaving {
  api: Api
  user: SignedInUser
  goTo: (url: string) => void
}

/** A proxy ends its own session; single sign-on ends ours and then its own; otherwise this browser forgets everything. */
export async function logout({ api, user, goTo }: Leaving): Promise<void> {
  if (user.via === 'proxy' && user.logoutUrl) return goTo(user.logoutUrl)
  try {
    await api.call(postLogout, { retryLimited: false })
  } catch (error) {
    log.warn('Logging out failed at the server', error)
  }
  api.credentials.clear()
  if (user.logoutUrl) return goTo(user.logoutUrl)
  clearStorage()
  writeStored(justLoggedOutKey, 'true')
  goTo(`${basePath}/`)
}

function clearStorage(): void {
  const theme = readStored(kept)
  try {
    localStorage.clear()
    sessionStorage.clear()
  } catch (error) {
    log.warn('The storage of this browser could not be cleared', error)
  }
  writeStored(kept, theme)
}
