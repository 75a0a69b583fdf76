import { getSecurityStatus, getState } from '@pulse/contract'
import type { Api } from '../api/client.ts'
import { readStored, writeStored } from '../lib/storage.ts'
import type { StartupSteps } from './startup.ts'

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
      // only the status counts: the state itself comes over the live connection
      await response.body?.cancel()
      return response.status
    },
  }
}
