import { deleteNode, type NodeConfig } from '@pulse/contract'
import { useApi } from '../../../api/api.tsx'
import { useChange } from '../../../api/use-change.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { wordsOf } from '../../../api/reason.ts'
import { useNodeCache } from './use-nodes.ts'

interface RemoveNodeDialogProps {
  /** undefined: nothing is asked */
  node: NodeConfig | undefined
  onClose: () => void
}

const removedMs = 3_500

export function RemoveNodeDialog({ node, onClose }: RemoveNodeDialogProps) {
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
