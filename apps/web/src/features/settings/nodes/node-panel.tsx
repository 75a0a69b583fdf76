import type { NodeConfig, SourceKind } from '@pulse/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { Plus, Server } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LoadFailed, LoadingRows, Panel } from '../../../ui/panel.tsx'
import { reasonOf } from '../../../api/reason.ts'
import { kindTexts } from './kinds.ts'
import { NodeCard } from './node-card.tsx'
import { RemoveNodeDialog } from './remove-node-dialog.tsx'

interface NodePanelProps {
  kind: SourceKind
  nodes: UseQueryResult<NodeConfig[]>
  onAdd: () => void
  onEdit: (node: NodeConfig) => void
}

export function NodePanel({ kind, nodes, onAdd, onEdit }: NodePanelProps) {
  const { list, product, empty } = kindTexts[kind]
  const [removing, setRemoving] = useState<NodeConfig>()
  const listed = nodes.data?.filter(({ type }) => type === kind)
  const add = (
    <Button variant="primary" onClick={onAdd}>
      <Plus aria-hidden size={14} />
      Add node
    </Button>
  )
  return (
    <Panel title={list} flush action={add}>
      {!listed && !nodes.error && <LoadingRows label={`Loading ${list.toLowerCase()}`} />}
      {!listed && nodes.error && (
        <LoadFailed
          title="Failed to load nodes"
          reason={reasonOf(nodes.error)}
          onRetry={() => void nodes.refetch()}
        />
      )}
      {listed?.length === 0 && (
        <EmptyState icon={<Server size={24} />} title={`No ${product} is monitored yet`}>
          {empty}
        </EmptyState>
      )}
      {listed && listed.length > 0 && (
        <ul aria-label={list}>
          {listed.map((node) => (
            <li key={node.id} className="border-b border-line last:border-b-0">
              <NodeCard node={node} onEdit={() => onEdit(node)} onRemove={() => setRemoving(node)} />
            </li>
          ))}
        </ul>
      )}
      <RemoveNodeDialog node={removing} onClose={() => setRemoving(undefined)} />
    </Panel>
  )
}
