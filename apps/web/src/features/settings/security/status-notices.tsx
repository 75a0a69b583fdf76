import { useState } from 'react'
import { useSession } from '../../../api/session.tsx'
import { QuickSetup } from '../../../parts/setup/quick-setup.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyField } from '../../../ui/copy-field.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'

/** Warnings that an administrator must see first. */
export function StatusNotices() {
  const { status } = useSession()
  return (
    <>
      {status.configuredButPendingRestart && (
        <Notice tone="yellow" title="Restart needed">
          <p className="mb-2">Sign-in is set up, but takes effect only when Pulse has been restarted.</p>
          <RestartInstructions deploymentType={status.deploymentType} />
        </Notice>
      )}
      {!status.hasAuthentication && !status.configuredButPendingRestart && <AuthenticationOff />}
      <ProxyNotice />
      <UndeclaredProxies />
    </>
  )
}

function AuthenticationOff() {
  const { status } = useSession()
  const [setup, setSetup] = useState(false)
  return (
    <>
      <Notice
        tone="orange"
        title="Authentication is disabled"
        action={<Button onClick={() => setSetup(true)}>Setup</Button>}
      >
        {status.message ?? 'Everyone who reaches this server can see and change everything.'}
      </Notice>
      {status.disabled ? (
        <Dialog open={setup} onClose={() => setSetup(false)} title="Turn authentication on">
          <ol className="flex list-decimal flex-col gap-4 pl-5 text-table text-ink-2">
            <li>
              Remove the variable <code className="font-mono text-xs text-ink">DISABLE_AUTH</code> from the
              environment of Pulse.
            </li>
            <li>
              <RestartInstructions deploymentType={status.deploymentType} />
            </li>
            <li>Open this page again: Pulse then asks you to sign in, or to set up the first account.</li>
          </ol>
        </Dialog>
      ) : (
        <Dialog open={setup} onClose={() => setSetup(false)} title="Set up sign-in" locked wide>
          <QuickSetup
            mode="initial"
            onDone={() => window.location.reload()}
            onCancel={() => setSetup(false)}
          />
        </Dialog>
      )}
    </>
  )
}

function UndeclaredProxies() {
  const { undeclaredProxies = [] } = useSession().status
  if (undeclaredProxies.length === 0) return null
  return (
    <Notice tone="orange" title="Calls are forwarded by an undeclared proxy">
      <p>
        {undeclaredProxies.map(({ peer, header }) => `${peer} (${header})`).join(', ')}. Pulse ignores its
        forwarding headers and counts all its calls as one client. If this is your proxy, add it to
        PULSE_TRUSTED_PROXIES and restart Pulse; otherwise a client sends such headers itself.
      </p>
    </Notice>
  )
}

function ProxyNotice() {
  const { hasProxyAuth, proxyAuthUsername, proxyAuthIsAdmin, proxyAuthAllAdmin } = useSession().status
  if (!hasProxyAuth || !proxyAuthUsername) return null
  return (
    <>
      <Notice tone="accent" title="Signed in through your proxy">
        {`You are ${proxyAuthUsername}, ${proxyAuthIsAdmin ? 'an administrator' : 'not an administrator'}.`}
      </Notice>
      {proxyAuthAllAdmin && (
        <Notice tone="orange" title="Every proxy user is an administrator">
          No role header is set up. Name one in PROXY_AUTH_ROLE_HEADER, and the role of administrators in
          PROXY_AUTH_ADMIN_ROLE.
        </Notice>
      )}
    </>
  )
}

function RestartInstructions({ deploymentType }: { deploymentType: string | undefined }) {
  const { text, command } = restartSteps(deploymentType)
  return (
    <div className="flex flex-col gap-2 text-table text-ink-2">
      <p>{text}</p>
      <CopyField label="Command" value={command} />
    </div>
  )
}

interface RestartSteps {
  text: string
  command: string
}

const systemd = {
  text: 'Restart the service on the machine that runs Pulse:',
  command: 'sudo systemctl restart pulse',
}
const byHand = {
  text: 'Stop the running process with Ctrl+C, then start it again in the folder of Pulse:',
  command: 'npm start',
}

const byDeployment: Readonly<Record<string, RestartSteps>> = {
  docker: {
    text: 'Restart the container; use its name if you gave it another one:',
    command: 'docker restart pulse',
  },
  systemd,
  proxmoxve: {
    text: 'Open the console of the Pulse container in Proxmox VE and restart the service:',
    command: 'systemctl restart pulse',
  },
  manual: byHand,
  source: byHand,
  development: byHand,
}

/** How to restart this kind of installation. */
export const restartSteps = (deploymentType: string | undefined): RestartSteps =>
  byDeployment[deploymentType ?? ''] ?? byHand
