import { guestRates } from '@pulse/contract'
import { memo, type RefObject } from 'react'
import { useAfterFirstPaint, useLive } from '../../live/use-live.ts'
import { type AlertLevels, sameLevels, selectAlertLevels } from '../../parts/alerts/alert-levels.ts'
import type { GridHandle } from '../../parts/grid/grid.tsx'
import { ListTable } from '../../parts/list/list-table.tsx'
import { machineTracks, narrowTracks } from '../../parts/nodes/machine-tracks.ts'
import { ColumnRow } from '../../parts/table/column-row.tsx'
import type { TrendSource } from '../../parts/trends/trend-table.ts'
import { useTrends } from '../../parts/trends/trends.tsx'
import { type GuestColumn, guestColumns, narrowGuestColumns } from './columns.tsx'
import { GuestDetails } from './guest-details.tsx'
import { guestLink, type GuestLinks } from '../../parts/nodes/guest-links.ts'
import { guestListNames, type GuestListRow } from './guest-list.ts'
import { expandedGuests } from './guest-name.tsx'
import { useGuestView } from '../../parts/guests/guest-view.ts'
import { NodeGroupRow } from './node-group-row.tsx'
import type { OverviewView } from './use-overview-view.ts'

const guestTrendSources: readonly TrendSource[] = [
  { rows: guestListNames.record, kind: 'guests', fields: ['cpu', 'memory', 'disk', ...guestRates] },
]

interface GuestTableProps {
  rows: readonly GuestListRow[]
  view: OverviewView
  links: GuestLinks
  phone: boolean
  /** too narrow for rate columns */
  narrow: boolean
  onInUseChange: (held: boolean) => void
  handle: RefObject<GridHandle | null>
}

export function GuestTable({
  rows,
  view,
  links,
  phone,
  narrow,
  onInUseChange: onHold,
  handle,
}: GuestTableProps) {
  const alerts = useLive(['activeAlerts'], selectAlertLevels, sameLevels)
  const counted = useAfterFirstPaint()
  const columns = narrow ? narrowGuestColumns : guestColumns
  const underlay = useTrends({ sources: guestTrendSources, columns, phone })
  const colSpan = columns.length
  const grouped = view.chosen.grouping === 'grouped'
  return (
    <ListTable
      label="Guests"
      names={guestListNames}
      rows={rows}
      columns={columns}
      sort={view.sort}
      onSort={view.sortBy}
      grouped={grouped}
      drawGroup={({ id, tabIndex }) => (
        <NodeGroupRow
          nodeKey={id}
          colSpan={colSpan}
          phone={phone}
          narrow={narrow}
          counted={counted}
          tabIndex={tabIndex}
        />
      )}
      drawRecord={(row) => (
        <GuestRow {...row} columns={columns} links={links} alerts={alerts} indented={grouped} phone={phone} />
      )}
      details={{
        expansion: expandedGuests,
        draw: (id) => <GuestDetails id={id} colSpan={colSpan} withRates={narrow} />,
      }}
      underlay={underlay}
      minWidth={(narrow ? narrowTracks : machineTracks).minWidth}
      phone={phone}
      lower
      onInUseChange={onHold}
      handle={handle}
    />
  )
}

interface GuestRowProps {
  columns: readonly GuestColumn[]
  id: string
  links: GuestLinks
  alerts: AlertLevels
  expanded: boolean
  /** below its node's head */
  indented: boolean
  phone: boolean
  tabIndex: 0 | -1
}

export const GuestRow = memo(function GuestRow(props: GuestRowProps) {
  const { columns, id, links, alerts, expanded, indented, phone, tabIndex } = props
  const view = useGuestView(id)
  if (!view) return null
  const alert = alerts.get(view.guest.id)
  const link = guestLink(links, view.guest, id)
  return (
    <ColumnRow
      columns={columns}
      shown={{ ...view, id, link, alert, expanded, indented, tabIndex }}
      phone={phone}
      dimmed={view.dimmed}
      open={expanded}
      alert={alert}
    />
  )
})
