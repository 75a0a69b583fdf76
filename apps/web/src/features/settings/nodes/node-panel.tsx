import { deleteNode, type NodeConfig, type SourceKind } from '@pulse/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { Plus, Server } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { useChange } from '../../../api/use-change.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LoadFailed, LoadingRows, Panel } from '../../../ui/panel.tsx'
import { reasonOf, wordsOf } from '../../../api/reason.ts'
import { toast } from '../../../ui/toast.ts'
import { kindTexts } from './kinds.ts'
import { NodeCard } from './node-card.tsx'
import { useNodeCache } from './use-nodes.ts'

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

interface RemoveNodeDialogProps {
  /** undefined while closed */
  node: NodeConfig | undefined
  onClose: () => void
}

const removedMs = 3_500

function RemoveNodeDialog({ node, onClose }: RemoveNodeDialogProps) {
  const api = useApi()
  const { change, reload } = useNodeCache()
  const remove = useChange({
    mutationFn: ({ id }: NodeConfig) => api.call(deleteNode, { params: { id } }),
    onSuccess: (_reply, { id, name }) => {
      toast.success(`${name} removed successfully`, removedMs)
      change((nodes) => nodes.filter((other) => other.id !== id))
      reload()
      onClose()
    },
  })
  const close = () => {
    remove.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      open={node !== undefined}
      onClose={close}
      title="Remove node"
      action="Remove node"
      busyAction="Removing..."
      busy={remove.isPending}
      onConfirm={() => node && remove.mutate(node)}
      failure={
        remove.error
          ? { title: wordsOf(remove.error, 'Failed to delete node'), reason: undefined }
          : undefined
      }
    >
      <p>
        <span className="font-medium break-all text-ink">{node?.name}</span>{' '}
        {node?.isCluster ? 'and its whole cluster are no longer monitored' : 'is no longer monitored'}, and
        its records disappear. Nothing changes on the server: the user and the token of Pulse stay there.
      </p>
    </ConfirmDialog>
  )
}
