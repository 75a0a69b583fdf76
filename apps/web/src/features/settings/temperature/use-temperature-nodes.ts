import {
  getTemperatureNodes,
  postRegisterNodes,
  putTemperatureNode,
  type TemperatureNode,
  type TemperatureNodeInput,
} from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../api/api.tsx'
import { useAnswer } from '../../../api/use-answer.ts'
import { useChange } from '../../../api/use-change.ts'
import { toast } from '../../../ui/toast.ts'
import { wordsOf } from '../../../api/reason.ts'

const refreshMs = 10_000
const queryKey = [getTemperatureNodes.path]
type Reply = { nodes: TemperatureNode[] }

/** Reloads, because the state of enabled nodes changes without user action. */
export const useTemperatureNodes = () =>
  useAnswer(getTemperatureNodes, {
    refetchInterval: ({ state: { data } }) => data?.nodes.some(({ enabled }) => enabled) && refreshMs,
  })

export function useTemperatureChange({ connectionId, node }: TemperatureNode) {
  const api = useApi()
  const queries = useQueryClient()
  return useChange({
    async mutationFn(body: TemperatureNodeInput) {
      // a pending response would restore the old state
      await queries.cancelQueries({ queryKey })
      return api.call(putTemperatureNode, { params: { connectionId, node }, body })
    },
    onSuccess: (changed) =>
      queries.setQueryData<Reply>(
        queryKey,
        (reply) => reply && { nodes: reply.nodes.map(replaceBy(changed)) },
      ),
    onError: (error) => toast.error(wordsOf(error, 'Failed to change the temperature helper')),
  })
}

const replaceBy = (changed: TemperatureNode) => (node: TemperatureNode) =>
  node.connectionId === changed.connectionId && node.node === changed.node ? changed : node

export function useNodeCheck() {
  const api = useApi()
  const queries = useQueryClient()
  return useChange({
    mutationFn: () => api.call(postRegisterNodes),
    onError: () => toast.error('Failed to query proxy nodes'),
    onSettled: () => void queries.invalidateQueries({ queryKey }),
  })
}
