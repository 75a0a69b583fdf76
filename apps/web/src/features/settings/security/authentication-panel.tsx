import type { SecurityStatus } from '@pulse/contract'
import { useState } from 'react'
import { useSession } from '../../../api/session.tsx'
import { QuickSetup } from '../../../parts/setup/quick-setup.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { When } from '../when.tsx'
import { ChangePasswordDialog } from './change-password-dialog.tsx'

const defaultUsername = 'admin'

/** The signed-in user's account, and the administrator's credentials. */
export function AuthenticationPanel() {
  const { status, user, isAdmin } = useSession()
  const [dialog, setDialog] = useState<'password' | 'rotate'>()
  if (!status.hasAuthentication) return null
  const username = user?.name ?? status.authUsername ?? defaultUsername
  const fixed = whyFixed(status)
  const close = () => setDialog(undefined)
  return (
    <Panel
      title="Authentication"
      action={
        !fixed && (
          <span className="flex flex-wrap gap-2">
            <Button onClick={() => setDialog('password')}>Change password</Button>
            {isAdmin && <Button onClick={() => setDialog('rotate')}>Rotate credentials</Button>}
          </span>
        )
      }
    >
      <dl className="flex flex-wrap gap-x-8 gap-y-2 text-table">
        <div className="flex items-center gap-2">
          <dt className="text-ink-3">Current user</dt>
          <dd className="flex items-center gap-2 font-medium break-all">
            {username}
            {user && (
              <Badge tone={isAdmin ? 'accent' : 'neutral'}>{isAdmin ? 'Administrator' : 'Viewer'}</Badge>
            )}
          </dd>
        </div>
        {!fixed && status.authLastModified && (
          <div className="flex items-center gap-2">
            <dt className="text-ink-3">Credentials changed</dt>
            <dd>
              <When time={status.authLastModified} inline />
            </dd>
          </div>
        )}
      </dl>
      {fixed && <p className="mt-2 text-table text-ink-2">{fixed}</p>}
      <ChangePasswordDialog open={dialog === 'password'} onClose={close} username={username} />
      <Dialog
        open={dialog === 'rotate'}
        onClose={close}
        title="Rotate credentials"
        description="All API tokens made here are replaced by one new token."
        locked
        wide
      >
        <QuickSetup
          mode="rotate"
          username={username}
          onDone={() => window.location.reload()}
          onCancel={close}
        />
      </Dialog>
    </Panel>
  )
}

/** Why the password cannot be changed here; undefined if it can. */
function whyFixed(status: SecurityStatus): string | undefined {
  if (status.proxyAuthUsername) return 'You are signed in through your proxy; your password is kept there.'
  if (status.oidcUsername) {
    return 'You are signed in through single sign-on; your password is kept by your identity provider.'
  }
  if (status.authFromEnvironment) {
    return 'The account is set by PULSE_AUTH_USER and PULSE_AUTH_PASS. Change it there and restart Pulse.'
  }
  return undefined
}
