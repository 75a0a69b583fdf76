import { memo, useCallback } from 'react'
import { sameList, useEntity, useLive } from '../../live/use-live.ts'
import type { AlertLevels } from '../alerts/alert-levels.ts'
import { nodesWithFaults } from '../alerts/nodes-with-faults.ts'
import { Offline } from '../cells/outage.tsx'
import { nodeKey } from '../nodes/nodes.ts'
import { ColumnRow } from '../table/column-row.tsx'
import type { SummaryColumn } from './columns.tsx'
import {
  type Counts,
  type CountsByRow,
  datastoresOf,
  describeNode,
  describeServer,
  type SummaryRow,
  type SummaryRowKey,
} from './rows.ts'

interface LineProps {
  columns: readonly SummaryColumn[]
  alerts: AlertLevels
  selected: boolean
  /** another line is selected */
  dimmed: boolean
  phone: boolean
  tabIndex: 0 | -1
}

interface WatchedProps extends LineProps {
  rowKey: SummaryRowKey
  counts: CountsByRow
}

/** Subscribes only to the record that it shows. */
export const SummaryLine = memo(function SummaryLine(props: WatchedProps) {
  const id = props.rowKey.slice(4)
  return props.rowKey.startsWith('pbs:') ? <ServerLine id={id} {...props} /> : <NodeLine id={id} {...props} />
})

const noCounts: Counts = {}

function NodeLine({ id, counts, ...line }: WatchedProps & { id: string }) {
  const node = useEntity('nodes', id)
  const key = node && nodeKey(node)
  const broken = useLive(
    ['storage', 'physicalDisks', 'activeAlerts'],
    useCallback((live) => key !== undefined && nodesWithFaults(live).has(key), [key]),
  )
  if (!node || key === undefined) return null
  return (
    <Line recordId={id} row={describeNode(node, counts.get(key) ?? noCounts)} broken={broken} {...line} />
  )
}

function ServerLine({ id, counts, ...line }: WatchedProps & { id: string }) {
  const server = useEntity('pbs', id)
  const datastores = useLive(
    ['pbs', 'datastores'],
    useCallback((live) => datastoresOf(live, id), [id]),
    sameList,
  )
  if (!server) return null
  return (
    <Line
      recordId={id}
      row={describeServer(server, datastores, counts.get(id) ?? noCounts)}
      broken={false}
      {...line}
    />
  )
}

type DrawnProps = LineProps & { recordId: string; row: SummaryRow; broken: boolean }

function Line({ recordId, row, broken, ...line }: DrawnProps) {
  const { columns, alerts, selected, dimmed, phone, tabIndex } = line
  const alert = alerts.get(row.wireId)
  const isDimmed = dimmed || !row.online || row.staleSince !== undefined
  return (
    <ColumnRow
      columns={columns}
      shown={{ recordId, row, alert, broken, dimmed: isDimmed, tabIndex }}
      phone={phone}
      dimmed={isDimmed}
      selected={selected}
      down={row.outage !== undefined}
      alert={alert}
      noFigures={row.outage === 'offline' && <Offline since={row.offlineSince} />}
    />
  )
}
