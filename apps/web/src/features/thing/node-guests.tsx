import type { Guest } from '@pulse/contract'
import { memo, useCallback, useMemo, useState } from 'react'
import { useLive } from '../../live/use-live.ts'
import { type AlertLevels, sameLevels, selectAlertLevels } from '../../parts/alerts/alert-levels.ts'
import { useGuestView } from '../../parts/guests/guest-view.ts'
import { createListSelector } from '../../parts/list/list-selector.ts'
import { ListTable } from '../../parts/list/list-table.tsx'
import { nodeKey } from '../../parts/nodes/nodes.ts'
import { usePhone } from '../../parts/screen/use-media.ts'
import { ColumnRow } from '../../parts/table/column-row.tsx'
import { TableFoot } from '../../parts/table/table-foot.tsx'
import type { TrendSource } from '../../parts/trends/trend-table.ts'
import { useTrends } from '../../parts/trends/trends.tsx'
import { flipSort, type Sort } from '../../ui/table/sort.ts'
import { type NodeGuestColumnId, nodeGuestColumns } from './node-guest-columns.tsx'
import { Section, SectionNote } from './section.tsx'

const names = { record: 'guest', group: 'none' } as const
/** px at the default text size */
const minWidth = 720

const trendSources: readonly TrendSource[] = [
  { rows: names.record, kind: 'guests', fields: ['cpu', 'memory', 'disk'] },
]

/** The guests on a node, each with its page. */
export function NodeGuests({ nodeKey: key }: { nodeKey: string }) {
  const phone = usePhone()
  const [sort, setSort] = useState<Sort<NodeGuestColumnId>>({ key: 'vmid', direction: 'asc' })
  const [inUse, setInUse] = useState(false)
  const alerts = useLive(['activeAlerts'], selectAlertLevels, sameLevels)
  const select = useMemo(() => createNodeGuestSelector(key, sort), [key, sort])
  const list = useLive(
    ['guests'],
    useCallback((live) => select(live, inUse), [select, inUse]),
  )
  const { rows, orderPending } = list
  const underlay = useTrends({ sources: trendSources, columns: nodeGuestColumns, phone })
  return (
    <Section
      title="Guests"
      count={rows.length}
      more={{
        to: `/proxmox/overview?${new URLSearchParams({ search: `node:${nodeOf(key)}` })}`,
        text: 'In the Overview',
      }}
    >
      {rows.length === 0 ? (
        <SectionNote>No guests on this node.</SectionNote>
      ) : (
        <ListTable
          label="Guests of this node"
          names={names}
          rows={rows}
          columns={nodeGuestColumns}
          sort={sort}
          onSort={(column) => setSort(flipSort(sort, column))}
          grouped={false}
          drawRecord={({ id, tabIndex }) => (
            <GuestLine id={id} tabIndex={tabIndex} alerts={alerts} phone={phone} />
          )}
          underlay={underlay}
          minWidth={minWidth}
          phone={phone}
          lower
          onInUseChange={setInUse}
        />
      )}
      {orderPending && (
        <TableFoot orderPending sticky>
          {null}
        </TableFoot>
      )}
    </Section>
  )
}

const nodeOf = (key: string) => key.slice(key.indexOf('\0') + 1)

function createNodeGuestSelector(key: string, { key: column, direction }: Sort<NodeGuestColumnId>) {
  const { value } = nodeGuestColumns.find(({ id }) => id === column)!
  return createListSelector({
    kind: 'guests',
    names,
    context: () => [],
    direction,
    toItem: (guest: Guest) =>
      nodeKey(guest) === key
        ? { value: value(guest, undefined), tiebreaker: guest.vmid, group: '', category: '' }
        : undefined,
  })
}

interface GuestLineProps {
  id: string
  tabIndex: 0 | -1
  alerts: AlertLevels
  phone: boolean
}

const GuestLine = memo(function GuestLine({ id, tabIndex, alerts, phone }: GuestLineProps) {
  const view = useGuestView(id)
  if (!view) return null
  const alert = alerts.get(view.guest.id)
  return (
    <ColumnRow
      columns={nodeGuestColumns}
      shown={{ ...view, id, alert, tabIndex }}
      phone={phone}
      dimmed={view.dimmed}
      alert={alert}
    />
  )
})
