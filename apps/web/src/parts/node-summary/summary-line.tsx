import { memo, useCallback } from 'react'
import { sameList, useEntity, useLive } from '../../live/use-live.ts'
import { placeKey } from '../nodes.ts'
import type { SummaryLineProps } from './line-props.ts'
import {
  type Counts,
  type CountsByRow,
  datastoresOf,
  describeNode,
  describeServer,
  type SummaryRowKey,
} from './rows.ts'
import { SummaryPhoneRow } from './summary-phone-row.tsx'
import { SummaryTableRow } from './summary-table-row.tsx'

interface WatchedProps extends SummaryLineProps {
  rowKey: SummaryRowKey
  counts: CountsByRow
  phone: boolean
}

/** Watches the one record it shows. */
export const SummaryLine = memo(function SummaryLine(props: WatchedProps) {
  const id = props.rowKey.slice(4)
  return props.rowKey.startsWith('pbs:') ? <ServerLine id={id} {...props} /> : <NodeLine id={id} {...props} />
})

const noCounts: Counts = {}

function NodeLine({ id, counts, phone, ...line }: WatchedProps & { id: string }) {
  const node = useEntity('nodes', id)
  if (!node) return null
  const row = describeNode(node, counts.get(placeKey(node)) ?? noCounts)
  return phone ? <SummaryPhoneRow row={row} {...line} /> : <SummaryTableRow row={row} {...line} />
}

function ServerLine({ id, counts, phone, ...line }: WatchedProps & { id: string }) {
  const server = useEntity('pbs', id)
  const datastores = useLive(
    ['pbs', 'datastores'],
    useCallback((live) => datastoresOf(live, id), [id]),
    sameList,
  )
  if (!server) return null
  const row = describeServer(server, datastores, counts.get(id) ?? noCounts)
  return phone ? <SummaryPhoneRow row={row} {...line} /> : <SummaryTableRow row={row} {...line} />
}
