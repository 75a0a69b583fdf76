import { useEffect, useEffectEvent } from 'react'
import { useSession } from '../../../api/session.tsx'
import { BackupRestorePanel } from '../backup-restore-panel.tsx'
import { AuditPanel } from './audit-panel.tsx'
import { AuthenticationPanel } from './authentication-panel.tsx'
import { OidcPanel } from './oidc-panel.tsx'
import { PosturePanel } from './posture-panel.tsx'
import { StatusNotices } from './status-notices.tsx'
import { TokenPanel } from './token-panel.tsx'
import { UserPanel } from './user-panel.tsx'

export default function SecuritySection() {
  const { refresh, isAdmin } = useSession()
  // what was known when the page was opened may be hours old
  const onOpen = useEffectEvent(() => void refresh())
  useEffect(() => onOpen(), [])
  return (
    <div className="flex flex-col gap-4">
      <StatusNotices />
      <PosturePanel />
      <AuthenticationPanel />
      <TokenPanel />
      <OidcPanel />
      {isAdmin && <UserPanel />}
      {isAdmin && <BackupRestorePanel />}
      {isAdmin && <AuditPanel />}
    </div>
  )
}
