import { agentInstallCommand, agentIntervalSeconds } from '@pulse/domain'
import { reasonOf } from '../../../api/reason.ts'
import { formatBytes } from '../../../lib/format.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { OwnAddress } from '../own-address.tsx'
import { CommandField } from '../command-field.tsx'
import { namedHosts, namesText } from '../host-names.ts'
import { type Host, hostsOfToken } from './hosts.ts'
import { useDockerSetup } from './use-docker-setup.ts'

interface InstallCommandProps {
  token: string
  tokenId: string
  hosts: readonly Host[]
}

/** The install command, its download sizes, and whether the host has reported. */
export function InstallCommand({ token, tokenId, hosts }: InstallCommandProps) {
  const { data, error, pulseUrl } = useDockerSetup()
  if (pulseUrl === undefined) return <Skeleton className="h-8 w-full" />
  return (
    <div className="flex flex-col gap-3">
      {error && (
        <Notice tone="yellow" title="Pulse does not know the address that agents use">
          <p>{reasonOf(error)}</p>
          <p>The command contains the address of this page.</p>
        </Notice>
      )}
      <OwnAddress url={pulseUrl}>
        Open Pulse at an address your hosts can reach, or set PULSE_PUBLIC_URL.
      </OwnAddress>
      {data?.agents.length === 0 && (
        <Notice tone="yellow" title="This Pulse was built without the agent">
          Build Pulse with the agent, or use an agent from a release.
        </Notice>
      )}
      <CommandField label="Install command" command={agentInstallCommand({ pulseUrl, token })} />
      <p className="text-xs text-ink-2">
        {`Run it as root on the Docker host. It installs the agent as a service that reports every ${agentIntervalSeconds} seconds.`}
        {data && data.agents.length > 0 && ` ${sizesText(data.agents)}`}
        {pulseUrl.startsWith('http://') &&
          ' Pulse uses plain HTTP here: the API token crosses the network unencrypted. Use it on a trusted network, or set up HTTPS.'}
      </p>
      <Arrival names={hostsOfToken(hosts, tokenId)} />
    </div>
  )
}

/** Actual download size of each agent. */
const sizesText = (agents: readonly { platform: string; bytes: number }[]): string =>
  `The agent takes ${agents.map(({ platform, bytes }) => `${formatBytes(bytes)} (${platform})`).join(', ')}.`

function Arrival({ names }: { names: readonly string[] }) {
  return (
    <p role="status" className="text-table">
      {names.length === 0 ? (
        <span className="text-ink-2">Waiting for the first report.</span>
      ) : (
        <span className="font-medium break-words">
          {`${namesText(names, namedHosts.warning)} ${names.length === 1 ? 'reports' : 'report'} with this token.`}
        </span>
      )}
    </p>
  )
}
