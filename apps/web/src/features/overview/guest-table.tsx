import type { RefObject } from 'react'
import { useAfterFirstPaint, useLive } from '../../live/use-live.ts'
import { sameLevels, selectAlertLevels } from '../../parts/alerts/alert-levels.ts'
import type { GridHandle } from '../../parts/grid/grid.tsx'
import { ListTable } from '../../parts/list/list-table.tsx'
import { machineTracks, narrowTracks } from '../../parts/nodes/machine-tracks.ts'
import { guestColumns, narrowGuestColumns } from './columns.tsx'
import { expandedGuests } from './expanded.ts'
import { GuestDetails } from './guest-details.tsx'
import type { GuestLinks } from '../../parts/guests/guest-links.ts'
import { guestListNames, type GuestListRow } from './guest-list.ts'
import type { GuestTrails } from './guest-trails.ts'
import { GuestRow } from './guest-row.tsx'
import { NodeGroupRow } from './node-group-row.tsx'
import type { OverviewView } from './use-overview-view.ts'

interface GuestTableProps {
  rows: readonly GuestListRow[]
  view: OverviewView
  links: GuestLinks
  trails: GuestTrails
  phone: boolean
  /** there is no room for rates */
  narrow: boolean
  onHold: (held: boolean) => void
  handle: RefObject<GridHandle | null>
}

export function GuestTable({ rows, view, links, trails, phone, narrow, onHold, handle }: GuestTableProps) {
  const alerts = useLive(['activeAlerts'], selectAlertLevels, sameLevels)
  const counted = useAfterFirstPaint()
  const columns = narrow ? narrowGuestColumns : guestColumns
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
          place={id}
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
        draw: (id) => <GuestDetails id={id} colSpan={colSpan} withRates={narrow} trails={trails} />,
      }}
      minWidth={(narrow ? narrowTracks : machineTracks).minWidth}
      phone={phone}
      lower
      onHold={onHold}
      handle={handle}
    />
  )
}
