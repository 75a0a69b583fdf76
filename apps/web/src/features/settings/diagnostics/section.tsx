import type { AlertCheck, Diagnostics } from '@pulse/contract'
import { Server } from 'lucide-react'
import { formatNumber, formatUptime, MISSING } from '../../../lib/format.ts'
import { AdminOnly } from '../../../parts/sections/admin-only.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { NodeCheckPanel } from '../temperature/node-check-panel.tsx'
import { DockerAgentsPanel } from './docker-agents-panel.tsx'
import { Facts } from './facts.tsx'
import { FindingsPanel, TextList } from './findings-panel.tsx'
import { MemoryPanel } from './memory-panel.tsx'
import { ProcessesPanel } from './processes-panel.tsx'
import { RunPanel } from './run-panel.tsx'
import { SelfPanel } from './self-panel.tsx'
import { type DiagnosedSource, SourceCard } from './source-card.tsx'
import { architectureText, platformText, runtimeText } from './system-texts.ts'
import { TokenCheckPanel } from './token-check-panel.tsx'
import { useDiagnostics } from './use-diagnostics.ts'

export default function DiagnosticsSection() {
  return (
    <AdminOnly to="to run diagnostics">
      <DiagnosticsPage />
    </AdminOnly>
  )
}

function DiagnosticsPage() {
  const diagnostics = useDiagnostics()
  const result = diagnostics.run?.result
  return (
    <div className="flex flex-col gap-4">
      <RunPanel {...diagnostics} />
      {result && (
        <>
          <FindingsPanel result={result} />
          <SystemPanel result={result} />
          {result.processes && <ProcessesPanel processes={result.processes} />}
          <SourcesPanel nodes={result.nodes} pbs={result.pbs} />
          <TokenCheckPanel check={result.apiTokens} />
          {result.dockerAgents && <DockerAgentsPanel check={result.dockerAgents} />}
          {result.alerts && <AlertCheckPanel check={result.alerts} />}
        </>
      )}
      <NodeCheckPanel />
      {result && <MemoryPanel result={result} />}
      <SelfPanel />
    </div>
  )
}

const states: Record<AlertCheck['activationState'], string> = {
  active: 'Active',
  pending_review: 'Not activated',
  snoozed: 'Snoozed',
}

/** Whether alerts are active, and settings that make them too noisy. */
function AlertCheckPanel({ check }: { check: AlertCheck }) {
  const { enabled, activationState, active, acknowledged, historyEntries, notes = [] } = check
  const list = notes.length > 0 && <TextList label="Notes on alerts" texts={notes} />
  const isAdvised = check.missingCooldown || check.missingGroupingWindow
  return (
    <Panel title="Alerts">
      <div className="flex flex-col gap-3">
        <Facts
          facts={[
            { label: 'State', value: enabled ? states[activationState] : 'Switched off' },
            { label: 'Active', value: formatNumber(active) },
            { label: 'Acknowledged', value: formatNumber(acknowledged) },
            {
              label: 'In the history',
              value: historyEntries === undefined ? MISSING : formatNumber(historyEntries),
            },
            { label: 'Cooldown', value: check.missingCooldown ? 'Missing' : 'Set' },
            { label: 'Grouping window', value: check.missingGroupingWindow ? 'Missing' : 'Set' },
          ]}
        />
        {isAdvised ? <Notice tone="yellow">{list}</Notice> : list}
      </div>
    </Panel>
  )
}

/** All connections; failed ones come first. */
function SourcesPanel({ nodes, pbs }: Pick<Diagnostics, 'nodes' | 'pbs'>) {
  const sources: DiagnosedSource[] = [...nodes, ...pbs.map((one) => ({ ...one, type: 'pbs' as const }))]
  const sorted = sources.toSorted((a, b) => Number(a.connected) - Number(b.connected))
  return (
    <Panel title="Connections" description="Tested during this run; unreachable connections first." flush>
      {sorted.length === 0 && (
        <EmptyState icon={<Server size={24} />} title="No connections">
          Add a node to check its connection here.
        </EmptyState>
      )}
      {sorted.map((source) => (
        <SourceCard key={source.id} source={source} />
      ))}
    </Panel>
  )
}

function SystemPanel({ result: { version, runtime, uptime, system } }: { result: Diagnostics }) {
  return (
    <Panel title="System information">
      <Facts
        facts={[
          { label: 'Version', value: version },
          { label: 'Runtime', value: runtimeText(runtime) },
          { label: 'Uptime', value: formatUptime(uptime) },
          { label: 'Operating system', value: platformText(system.os) },
          { label: 'Architecture', value: architectureText(system.arch) },
          { label: 'Processors', value: formatNumber(system.numCPU) },
          { label: 'Memory in use', value: `${formatNumber(system.memoryMB)} MB` },
          { label: 'Active handles', value: formatNumber(system.numGoroutine) },
        ]}
      />
    </Panel>
  )
}
