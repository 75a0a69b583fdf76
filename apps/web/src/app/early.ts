import { createBrowserApi } from '../api/client.ts'
import { hasCsrfToken } from '../api/request.ts'
import { createLive } from '../live/create-live.ts'
import { type StartupSteps, isAdmitted, browserStartupSteps, wasJustLoggedOut } from './startup.ts'

/**
 * What the first page waits for, asked for while the rest of the program is still being read: main.tsx imports this
 * before everything else. Nothing in here may need React or a page.
 */
export const early = begin()

function begin() {
  const api = createBrowserApi()
  const live = createLive()
  const steps = browserStartupSteps(api)
  return { api, live, startupSteps: wasJustLoggedOut() ? steps : asked(steps, live) }
}

/** The cookie stands for a session, so the socket need not wait for the answer. When it says otherwise the socket goes. */
function asked(steps: StartupSteps, live: ReturnType<typeof createLive>): StartupSteps {
  let status: ReturnType<StartupSteps['fetchSecurityStatus']> | undefined = steps.fetchSecurityStatus()
  if (hasCsrfToken(document.cookie)) live.start()
  status.then(
    (known) => !isAdmitted(known) && live.stop(),
    () => {
      // whoever waits for the status hears of it
    },
  )
  return {
    ...steps,
    fetchSecurityStatus() {
      const first = status
      if (!first) return steps.fetchSecurityStatus()
      const forget = () => void (status = undefined)
      first.then(forget, forget)
      return first
    },
  }
}
