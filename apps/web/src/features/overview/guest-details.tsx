import { memo } from 'react'
import { ChangesFold } from '../../parts/changes/changes-fold.tsx'
import { GuestPanels } from '../../parts/guests/guest-panels.tsx'
import { useGuestView } from '../../parts/guests/guest-view.ts'
import { HistoryCharts } from '../../parts/history/history-charts.tsx'
import { DetailsCell } from '../../parts/list/details.tsx'
import { PageButton } from '../../parts/thing/page-link.tsx'
import { guestName } from '../../parts/guests/guest-name.ts'

interface GuestDetailsProps {
  id: string
  colSpan: number
  /** show rates: the table has no columns for them */
  withRates: boolean
}

/** Details below an expanded row. */
export const GuestDetails = memo(function GuestDetails({ id, colSpan, withRates }: GuestDetailsProps) {
  const view = useGuestView(id)
  if (!view) return null
  const name = guestName(view.guest)
  return (
    <DetailsCell colSpan={colSpan}>
      <PageButton kind="guests" id={id} name={name} />
      <GuestPanels id={id} view={view} withRates={withRates} />
      <HistoryCharts kind="guests" id={id} name={name} alertId={view.guest.id} />
      <ChangesFold kind="guests" id={id} name={name} />
    </DetailsCell>
  )
})
