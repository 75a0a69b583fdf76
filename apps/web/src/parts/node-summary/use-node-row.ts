import { useCallback } from 'react'
import { useEntity, useLive } from '../../live/use-live.ts'
import { indexNodes } from '../nodes/nodes.ts'
import { describeNode, type SummaryRow } from './rows.ts'

const noCounts = {}
/** No node has this id. */
const none = ''

/** The store id of a node, by its `nodeKey`. */
export const useNodeId = (nodeKey: string): string | undefined =>
  useLive(
    ['nodes'],
    useCallback((live) => indexNodes(live).get(nodeKey)?.id, [nodeKey]),
  )

/** A node by its `nodeKey`, without counts. Undefined if only guests or storages name the node. */
export function useNodeRow(nodeKey: string): SummaryRow | undefined {
  const id = useNodeId(nodeKey)
  const node = useEntity('nodes', id ?? none)
  return node && describeNode(node, noCounts)
}
