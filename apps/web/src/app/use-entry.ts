import { getSecurityStatus, type SecurityStatus } from '@pulse/contract'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Api } from '../api/client.ts'
import { type Session, toSession } from '../api/session.tsx'
import { log } from '../lib/log.ts'
import type { ConnectionSource } from '../live/connection.ts'
import { decideStartup, followStatus, type Startup, type StartupSteps } from './startup.ts'

const statusTimeoutMs = 10_000

/** Assumed before the first status: sign-in is required, and no user is known. */
const unknownStatus: SecurityStatus = {
  hasAuthentication: true,
  requiresAuth: true,
  configuredButPendingRestart: false,
  oidcEnabled: false,
  hasProxyAuth: false,
  hasHTTPS: false,
  publicAccess: false,
  isPrivateNetwork: true,
  isTrustedNetwork: true,
}

interface Entry {
  /** undefined while the first check runs */
  startup: Startup | undefined
  session: Session
  /** Checks again after signing in; false: access is still denied. */
  enter(): Promise<boolean>
}

/**
 * Decides between login and app. Checks the session again whenever the server refuses a call or a connection.
 */
export function useEntry(
  api: Api,
  connection: ConnectionSource,
  steps: StartupSteps,
  decided?: Startup,
): Entry {
  const [startup, setStartup] = useState(decided)
  const inside = startup?.screen === 'app'

  useEffect(() => {
    if (decided) return
    let wanted = true
    void decideStartup(steps).then((result) => wanted && setStartup(result))
    return () => {
      wanted = false
    }
  }, [steps, decided])

  const enter = useCallback(async () => {
    const result = await decideStartup(steps)
    if (result.screen === 'app') setStartup(result)
    return result.screen === 'app'
  }, [steps])

  const recheck = useCallback(async () => {
    const signal = AbortSignal.timeout(statusTimeoutMs)
    const status = await api.call(getSecurityStatus, { signal, retryLimited: false })
    setStartup((current) => current && followStatus(current, status))
  }, [api])

  const known = inside && startup.status !== undefined
  useEffect(() => {
    if (inside) return watchSession(api, connection, recheck)
  }, [inside, api, connection, recheck])
  useEffect(() => {
    if (inside && !known) return onConnected(connection, recheck)
  }, [inside, known, connection, recheck])

  const signingIn = startup?.screen === 'login' && startup.status?.requiresAuth === true
  useEffect(() => {
    if (signingIn) return onReturn(logged(recheck))
  }, [signingIn, recheck])

  const status = startup?.status ?? unknownStatus
  const session = useMemo(() => toSession(status, logged(recheck)), [status, recheck])
  return { startup, session, enter }
}

/** One check at a time, and at most one per refusal. */
function watchSession(
  { unauthorized, settled }: Api,
  connection: ConnectionSource,
  recheck: () => Promise<void>,
) {
  let asking = false
  let seen = connection.get().refusals
  const ask = async () => {
    if (asking) return
    asking = true
    // a change of credentials ends the old session before its answer sets the new one
    await settled()
    // without an answer the server is unreachable. The connection keeps trying, and its next refusal starts
    // another check
    await recheck().catch(() => {})
    asking = false
  }
  const stops = [
    unauthorized.subscribe(() => void ask()),
    connection.subscribe(() => {
      const { refusals } = connection.get()
      if (refusals === seen) return
      seen = refusals
      void ask()
    }),
  ]
  return () => stops.forEach((stop) => stop())
}

/** The startup check failed, so the user is unknown. Checks again with each new connection. */
function onConnected(connection: ConnectionSource, recheck: () => Promise<void>) {
  let before = connection.get().status
  return connection.subscribe(() => {
    const { status } = connection.get()
    if (status === before) return
    before = status
    if (status === 'connected') void logged(recheck)()
  })
}

/** The user may have signed in in another tab. */
function onReturn(recheck: () => Promise<void>) {
  const onVisible = () => {
    if (document.visibilityState === 'visible') void recheck()
  }
  document.addEventListener('visibilitychange', onVisible)
  return () => document.removeEventListener('visibilitychange', onVisible)
}

const logged = (recheck: () => Promise<void>) => () =>
  recheck().catch((error: unknown) => log.warn('The security status could not be loaded', error))
