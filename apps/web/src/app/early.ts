import { createBrowserApi } from '../api/client.ts'
import { hasCsrfToken } from '../api/request.ts'
import { createLive } from '../live/create-live.ts'
import { type StartupSteps, isAdmitted, browserStartupSteps, wasJustLoggedOut } from './startup.ts'

/**
 * Requests the data of the first page while the rest of the program loads. main.tsx imports this before
 * everything else. Must not import React or a page.
 */
export const early = begin()

function begin() {
  const api = createBrowserApi()
  const live = createLive()
  const steps = browserStartupSteps(api)
  return { api, live, startupSteps: wasJustLoggedOut() ? steps : shareStatus(steps, live) }
}

/**
 * With a session cookie, the socket opens without waiting for the status. It closes if the status denies
 * access.
 */
function shareStatus(steps: StartupSteps, live: ReturnType<typeof createLive>): StartupSteps {
  let status: ReturnType<StartupSteps['fetchSecurityStatus']> | undefined = steps.fetchSecurityStatus()
  if (hasCsrfToken(document.cookie)) live.start()
  status.then(
    (known) => !isAdmitted(known) && live.stop(),
    () => {
      // the caller that awaits the status handles it
    },
  )
  return {
    ...steps,
    fetchSecurityStatus() {
      const first = status
      if (!first) return steps.fetchSecurityStatus()
      const clear = () => void (status = undefined)
      first.then(clear, clear)
      return first
    },
  }
}
