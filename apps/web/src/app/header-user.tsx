import { postLogout } from '@pulse/contract'
import { Eye, LogOut } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../api/api.tsx'
import type { Api } from '../api/client.ts'
import { useSession } from '../api/session.tsx'
import { basePath } from '../lib/base-path.ts'
import { log } from '../lib/log.ts'
import { readStored, writeStored } from '../lib/storage.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { tip, Tooltip } from '../ui/tooltip.tsx'
import { signedInUser, type SignedInUser, justLoggedOutKey } from './startup.ts'

/** The signed-in user and the logout button. Empty while authentication is off. */
export function HeaderUser() {
  const api = useApi()
  const { status, user: account } = useSession()
  const [leaving, setLeaving] = useState(false)
  const user = signedInUser(status)
  if (status.demo) return <DemoBadge />
  if (!user) return null

  const leave = () => {
    setLeaving(true)
    void logout({ api, user, goTo: (url) => window.location.assign(url) })
  }

  return (
    <div className="flex min-w-0 items-center gap-0.5 sm:gap-2 sm:border-l sm:border-line sm:pl-3">
      <span className="hidden max-w-40 truncate text-table text-ink-2 sm:block">{user.name}</span>
      {account?.role === 'viewer' && <ViewerBadge />}
      <Tooltip content={`Signed in as ${user.name}`}>
        <Button
          variant="ghost"
          aria-label="Logout"
          disabled={leaving}
          onClick={leave}
          className="px-2 xl:px-2.5"
        >
          <LogOut aria-hidden size={15} />
          <span className="hidden xl:inline">Logout</span>
        </Button>
      </Tooltip>
    </div>
  )
}

const demoText = 'Anyone can look, changes are blocked, and addresses are masked.'

function DemoBadge() {
  return (
    <span className="rounded sm:border-l sm:border-line sm:pl-3" {...tip(demoText)}>
      <Badge>
        Demo<span className="sr-only">: {demoText}</span>
      </Badge>
    </span>
  )
}

/** Phones show the icon only. */
function ViewerBadge() {
  return (
    <Badge className="max-sm:px-1">
      <Eye aria-hidden size={12} className="sm:hidden" />
      <span className="max-sm:sr-only">Viewer</span>
    </Badge>
  )
}

const keptPreference = 'darkMode'

interface Leaving {
  api: Api
  user: SignedInUser
  goTo: (url: string) => void
}

/**
 * A proxy ends its own session. Single sign-on ends Pulse's session and its own. In all other cases the
 * stored values are removed.
 */
async function logout({ api, user, goTo }: Leaving): Promise<void> {
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
  const theme = readStored(keptPreference)
  try {
    localStorage.clear()
    sessionStorage.clear()
  } catch (error) {
    log.warn('The storage of this browser could not be cleared', error)
  }
  writeStored(keptPreference, theme)
}
