import type { DockerAgentCheck } from '@pulse/contract'
import { formatNumber } from '../../../lib/format.ts'
import { Panel } from '../../../ui/panel.tsx'
import { AgentCard } from './agent-card.tsx'
import { Disclosure, type Fact, Facts } from './facts.tsx'
import { TextList } from './findings-panel.tsx'

/** State of the Docker agents; those with issues come first. */
export function DockerAgentsPanel({ check }: { check: DockerAgentCheck }) {
  const { notes = [], attention = [], otherHosts = [] } = check
  if (check.hostsTotal === 0 && notes.length === 0) return null
  return (
    <Panel title="Docker agents" flush>
      <div className="flex flex-col gap-3 p-4">
        <Facts facts={factsOf(check)} />
        {notes.length > 0 && <TextList label="Notes on Docker agents" texts={notes} />}
      </div>
      {attention.map((host) => (
        <AgentCard key={host.hostId} host={host} />
      ))}
      {otherHosts.length > 0 && (
        <div className="border-t border-line px-4 py-3">
          <Disclosure summary={otherHostsText(attention.length, otherHosts.length)}>
            {otherHosts.map((host) => (
              <AgentCard key={host.hostId} host={host} />
            ))}
          </Disclosure>
        </div>
      )}
    </Panel>
  )
}

function otherHostsText(listed: number, others: number): string {
  const hosts = others === 1 ? 'host' : 'hosts'
  return listed > 0 ? `${formatNumber(others)} more ${hosts}` : `${formatNumber(others)} ${hosts}`
}

function factsOf(check: DockerAgentCheck): Fact[] {
  const { hostsTotal, hostsOnline, recommendedAgentVersion } = check
  return [
    { label: 'Hosts', value: `${formatNumber(hostsTotal)}, ${formatNumber(hostsOnline)} online` },
    { label: 'With a token', value: formatNumber(check.hostsWithTokenBinding) },
    { label: 'Need attention', value: formatNumber(check.hostsNeedingAttention) },
    ...counted('Without a version', check.hostsWithoutVersion),
    ...counted('Outdated', check.hostsOutdatedVersion),
    ...counted('Command without an answer', check.hostsWithStaleCommand),
    ...counted('To be uninstalled', check.hostsPendingUninstall),
    ...(recommendedAgentVersion ? [{ label: 'Recommended agent', value: recommendedAgentVersion }] : []),
  ]
}

/** Counts of 0 are omitted. */
const counted = (label: string, count = 0): Fact[] =>
  count > 0 ? [{ label, value: formatNumber(count) }] : []
