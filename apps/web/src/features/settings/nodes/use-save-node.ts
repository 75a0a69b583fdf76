import { type NodeConfig, type NodeInput, postNode, putNode, type SourceKind } from '@pulse/contract'
import { useApi } from '../../../api/api.tsx'
import { useChange } from '../../../api/use-change.ts'
import { toast } from '../../../ui/toast.ts'
import { useNodeCache } from './use-nodes.ts'

const savedMs = 3_500

/** Adds a node, or changes the stored one. What was saved is pending until it answers. */
export function useSaveNode(kind: SourceKind, stored: NodeConfig | undefined, onSaved: () => void) {
  const api = useApi()
  const { change, reload } = useNodeCache()
  return useChange({
    mutationFn: (input: NodeInput) =>
      stored
        ? api.call(putNode, { params: { id: stored.id }, body: input })
        : api.call(postNode, { body: { ...input, type: kind } }),
    onSuccess: ({ id }) => {
      toast.success(stored ? 'Node updated successfully' : 'Node added successfully', savedMs)
      change((nodes) => nodes.map((node) => (node.id === id ? { ...node, status: 'pending' } : node)))
      reload()
      onSaved()
    },
  })
}
