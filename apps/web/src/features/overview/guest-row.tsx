import { memo } from 'react'
import type { AlertLevels } from '../../parts/alerts/alert-levels.ts'
import { ColumnRow } from '../../parts/table/column-row.tsx'
import { type GuestLinks, guestLink } from '../../parts/guests/guest-links.ts'
import type { GuestColumn } from './columns.tsx'
import { useGuestView } from './guest-view.ts'

interface GuestRowProps {
  columns: readonly GuestColumn[]
  id: string
  links: GuestLinks
  alerts: AlertLevels
  expanded: boolean
  /** below its node's header */
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
      faint={view.faint}
      open={expanded}
      alert={alert}
    />
  )
})
