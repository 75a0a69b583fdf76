import type { SecurityStatus } from '@pulse/contract'
import { createContext, type ReactNode, useContext } from 'react'

/** The signed-in user and the server's security status. */
export interface Session {
  status: SecurityStatus
  user?: NonNullable<SecurityStatus['user']>
  isAdmin: boolean
  /** loads the status again; a failure is logged and changes nothing */
  refresh(): Promise<void>
}

/** With authentication off every visitor is an administrator without a name. */
export function toSession(status: SecurityStatus, refresh: () => Promise<void>): Session {
  const user = status.disabled ? undefined : status.user
  return {
    status,
    ...(user && { user }),
    isAdmin: status.disabled === true || user?.role === 'admin',
    refresh,
  }
}

const SessionContext = createContext<Session | undefined>(undefined)

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>
}

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('SessionProvider is missing')
  return session
}
