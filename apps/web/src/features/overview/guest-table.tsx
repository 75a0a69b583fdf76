import { useMemo } from 'react'
import { useLive } from '../../live/use-live.ts'
import { sameLevels, selectAlertLevels } from '../../parts/alert-levels.ts'
import { Grid, type RowState } from '../../parts/grid/grid.tsx'
import { guestColumns } from './columns.ts'
import { toggleExpanded, useExpandedGuests } from './expanded.ts'
import { GuestDetails } from './guest-details.tsx'
import type { GuestLinks } from './guest-links.ts'
import type { GuestListRow } from './guest-list.ts'
import { GuestRow } from './guest-row.tsx'
import { NodeGroupRow } from './node-group-row.tsx'
import type { OverviewView } from './use-overview-view.ts'

type TableRow = GuestListRow | `details:${string}`

interface GuestTableProps {
  rows: readonly GuestListRow[]
  view: OverviewView
  links: GuestLinks
  phone: boolean
}

const ROW = 32
const PHONE_ROW = 56

export function GuestTable({ rows, view, links, phone }: GuestTableProps) {
  const expanded = useExpandedGuests()
  const alerts = useLive(['activeAlerts'], selectAlertLevels, sameLevels)
  const withDetails = useMemo(() => insertDetails(rows, expanded), [rows, expanded])

  const renderRow = (row: TableRow, { tabIndex }: RowState) => {
    const [kind, id] = parseRow(row)
    if (kind === 'node') return <NodeGroupRow place={id} colSpan={guestColumns.length} tabIndex={tabIndex} />
    if (kind === 'details') return <GuestDetails id={id} colSpan={guestColumns.length} phone={phone} />
    return (
      <GuestRow
        id={id}
        links={links}
        alerts={alerts}
        expanded={expanded.has(id)}
        indented={view.grouping === 'grouped'}
        phone={phone}
        tabIndex={tabIndex}
      />
    )
  }

  return (
    <Grid
      label="Guests"
      columns={guestColumns}
      sort={view.sort}
      onSort={view.sortBy}
      rows={withDetails}
      kindOf={(row) => {
        const [kind, id] = parseRow(row)
        const level = view.grouping === 'grouped' ? 2 : 1
        if (kind === 'details') return { height: undefined, focusable: false, level: level + 1 }
        if (kind === 'node') return { height: ROW, focusable: true, level: 1 }
        return { height: phone ? PHONE_ROW : ROW, focusable: true, level, expanded: expanded.has(id) }
      }}
      tree
      renderRow={renderRow}
      onActivate={(row) => {
        const [kind, id] = parseRow(row)
        if (kind === 'guest') toggleExpanded(id)
      }}
      minWidth={900}
      phone={phone}
    />
  )
}

export function insertDetails(
  rows: readonly GuestListRow[],
  expanded: ReadonlySet<string>,
): readonly TableRow[] {
  if (expanded.size === 0) return rows
  return rows.flatMap((row): TableRow[] => {
    const [kind, id] = parseRow(row)
    return kind === 'guest' && expanded.has(id) ? [row, `details:${id}`] : [row]
  })
}

function parseRow(row: TableRow): [kind: 'node' | 'guest' | 'details', id: string] {
  const colon = row.indexOf(':')
  return [row.slice(0, colon) as 'node' | 'guest' | 'details', row.slice(colon + 1)]
}
