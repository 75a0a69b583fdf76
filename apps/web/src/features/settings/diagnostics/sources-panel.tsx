import type { Diagnostics } from '@pulse/contract'
import { Server } from 'lucide-react'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Panel } from '../../../ui/panel.tsx'
import type { DiagnosedSource } from './diagnosed-source.ts'
import { SourceCard } from './source-card.tsx'

/** Every connection, those that do not answer first. */
export function SourcesPanel({ nodes, pbs }: Pick<Diagnostics, 'nodes' | 'pbs'>) {
  const sources: DiagnosedSource[] = [...nodes, ...pbs.map((one) => ({ ...one, type: 'pbs' as const }))]
  const sorted = sources.toSorted((a, b) => Number(a.connected) - Number(b.connected))
  return (
    <Panel
      title="Connections"
      description="Asked during this run; those that do not answer come first."
      flush
    >
      {sorted.length === 0 && (
        <EmptyState icon={<Server size={24} />} title="No connections">
          Add a node to see here whether it answers.
        </EmptyState>
      )}
      {sorted.map((source) => (
        <SourceCard key={source.id} source={source} />
      ))}
    </Panel>
  )
}
