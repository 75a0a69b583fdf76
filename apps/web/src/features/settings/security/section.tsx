import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useSession } from '../../../api/session.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { BackupRestorePanel } from '../backup-restore-panel.tsx'
import { AuditPanel } from './audit-panel.tsx'
import { AuthenticationPanel } from './authentication-panel.tsx'
import { OidcPanel } from './oidc-panel.tsx'
import { PosturePanel } from './posture-panel.tsx'
import { StatusNotices } from './status-notices.tsx'
import { TokenPanel } from './token-panel.tsx'
import { UserPanel } from './user-panel.tsx'

interface Topic {
  /** fragment of the address, without # */
  id: string
  label: string
  /** hidden from other users */
  forAdministrators?: boolean
  content: ReactNode
}

const topics: readonly Topic[] = [
  { id: 'overview', label: 'Overview', content: <Overview /> },
  { id: 'tokens', label: 'API tokens', content: <TokenPanel /> },
  { id: 'single-sign-on', label: 'Single sign-on', content: <OidcPanel /> },
  { id: 'users', label: 'Users', forAdministrators: true, content: <UserPanel /> },
  { id: 'audit', label: 'Audit log', forAdministrators: true, content: <AuditPanel /> },
]

export default function SecuritySection() {
  const { refresh, isAdmin } = useSession()
  // the status from page load may be hours old
  const onOpen = useEffectEvent(() => void refresh())
  useEffect(() => onOpen(), [])
  const shown = topics.filter(({ forAdministrators }) => isAdmin || !forAdministrators)
  const [open, choose] = useTopic(shown)
  return (
    <div className="flex flex-col gap-4">
      <StatusNotices />
      <Tabs label="Security" tabs={shown} value={open} onChange={choose} />
    </div>
  )
}

function Overview() {
  const { isAdmin } = useSession()
  return (
    <div className="flex max-w-[720px] flex-col gap-4">
      <PosturePanel />
      <AuthenticationPanel />
      {isAdmin && <BackupRestorePanel />}
    </div>
  )
}

const named = () => window.location.hash.slice(1)

/** The open topic is the address's fragment, so that links and Back work. */
function useTopic(topics: readonly { id: string }[]) {
  const [id, setId] = useState(named)
  useEffect(() => {
    const follow = () => setId(named())
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  const open = topics.find((topic) => topic.id === id) ?? topics[0]!
  const choose = (chosen: string) => {
    setId(chosen)
    window.history.replaceState(window.history.state, '', `#${chosen}`)
  }
  return [open.id, choose] as const
}
