import { AdminOnly } from '../../../parts/sections/admin-only.tsx'
import { NodeCheckPanel } from '../temperature/node-check-panel.tsx'
import { AlertCheckPanel } from './alert-check-panel.tsx'
import { DockerAgentsPanel } from './docker-agents-panel.tsx'
import { FindingsPanel } from './findings-panel.tsx'
import { MemoryPanel } from './memory-panel.tsx'
import { RunPanel } from './run-panel.tsx'
import { SourcesPanel } from './sources-panel.tsx'
import { SystemPanel } from './system-panel.tsx'
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
          <SourcesPanel nodes={result.nodes} pbs={result.pbs} />
          <TokenCheckPanel check={result.apiTokens} />
          {result.dockerAgents && <DockerAgentsPanel check={result.dockerAgents} />}
          {result.alerts && <AlertCheckPanel check={result.alerts} />}
        </>
      )}
      <NodeCheckPanel />
      {result && <MemoryPanel result={result} />}
    </div>
  )
}
