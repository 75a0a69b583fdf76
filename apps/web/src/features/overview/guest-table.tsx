import type { RefObject } from 'react'
import { useAfterFirstPaint, useLive } from '../../live/use-live.ts'
import { sameLevels, selectAlertLevels } from '../../parts/alert-levels.ts'
import type { GridHandle } from '../../parts/grid/grid.tsx'
import { ListTable } from '../../parts/list/list-table.tsx'
import { machineTracks } from '../../parts/machine-tracks.ts'
import { guestColumns } from './columns.tsx'
import { expandedGuests } from './expanded.ts'
import { GuestDetails } from './guest-details.tsx'
import type { GuestLinks } from '../../parts/guest-links.ts'
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
  onHold: (held: boolean) => void
  handle: RefObject<GridHandle | null>
}

const colSpan = guestColumns.length

export function GuestTable({ rows, view, links, trails, phone, onHold, handle }: GuestTableProps) {
  const alerts = useLive(['activeAlerts'], selectAlertLevels, sameLevels)
  const counted = useAfterFirstPaint()
  const grouped = view.chosen.grouping === 'grouped'
  return (
    <ListTable
      label="Guests"
      names={guestListNames}
      rows={rows}
      columns={guestColumns}
      sort={view.sort}
      onSort={view.sortBy}
      grouped={grouped}
      drawGroup={({ id, tabIndex }) => (
        <NodeGroupRow place={id} colSpan={colSpan} phone={phone} counted={counted} tabIndex={tabIndex} />
      )}
      drawRecord={(row) => (
        <GuestRow {...row} links={links} alerts={alerts} indented={grouped} phone={phone} />
      )}
      details={{
        expansion: expandedGuests,
        draw: (id) => <GuestDetails id={id} colSpan={colSpan} phone={phone} trails={trails} />,
      }}
      minWidth={machineTracks.minWidth}
      phone={phone}
      lower
      onHold={onHold}
      handle={handle}
    />
  )
}
