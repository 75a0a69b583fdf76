import { useCallback } from 'react'
import { useEntity, useLive } from '../../live/use-live.ts'
import { indexNodes } from '../nodes/nodes.ts'
import { describeNode, type SummaryRow } from './rows.ts'

const noCounts = {}
/** No node has this id. */
const none = ''

/** A node by its `nodeKey`, without counts. Undefined if only guests or storages name the node. */
export function useNodeRow(nodeKey: string): SummaryRow | undefined {
  const id = useLive(
    ['nodes'],
    useCallback((live) => indexNodes(live).get(nodeKey)?.id, [nodeKey]),
  )
  const node = useEntity('nodes', id ?? none)
  return node && describeNode(node, noCounts)
}
