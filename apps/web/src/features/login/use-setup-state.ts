import { getSecurityStatus, type SecurityStatus } from '@pulse/contract'
import { useEffect, useState } from 'react'
import type { Api } from '../../api/client.ts'
import { ApiError } from '../../api/request.ts'

/** Whether there is something to sign in to. `unsure`: the server gave no status, which counts as nothing. */
export interface SetupState {
  configured: boolean
  oidcEnabled: boolean
  /** no user has a password here */
  noAccount?: boolean | undefined
  unsure?: boolean
}

const fromStatus = ({
  hasAuthentication,
  requiresAuth,
  oidcEnabled,
  noAccount,
}: SecurityStatus): SetupState => ({
  configured: hasAuthentication || requiresAuth,
  oidcEnabled,
  noAccount,
})

/** From the status that is known, or else from the server; undefined while it is asked. */
export function useSetupState(api: Api, known: SecurityStatus | undefined) {
  const [state, setState] = useState(known && fromStatus(known))

  useEffect(() => {
    if (state) return
    const stop = new AbortController()
    const ask = async () => {
      const answer = await fetchSetupState(api, stop.signal)
      if (!stop.signal.aborted) setState(answer)
    }
    void ask()
    return () => stop.abort()
  }, [api, state])

  return { state, askAgain: () => setState(undefined) }
}

async function fetchSetupState(api: Api, signal: AbortSignal): Promise<SetupState> {
  try {
    return fromStatus(await api.call(getSecurityStatus, { retryLimited: false, signal }))
  } catch (error) {
    const limited = error instanceof ApiError && error.status === 429
    return { configured: limited, oidcEnabled: false, unsure: !limited }
  }
}
