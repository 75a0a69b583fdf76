import type { ReactNode } from 'react'
import type { AlertLevel } from '../../parts/alert-levels.ts'
import { AlertStripe } from '../../parts/alert-stripe.tsx'
import { Uptime, Usage } from '../../parts/cells.tsx'
import { PhoneFigure, phoneRowClass } from '../../parts/phone-row.tsx'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { typeLabel } from './columns.ts'
import type { GuestView } from './guest-view.ts'

interface GuestPhoneRowProps {
  view: GuestView
  name: ReactNode
  alert: AlertLevel | undefined
}

/** Rates are left to the details. */
export function GuestPhoneRow({ view, name, alert }: GuestPhoneRowProps) {
  const { guest, faint, stale } = view
  return (
    <div data-guest-row={guest.vmid} data-dimmed={faint} className={phoneRowClass({ faint })}>
      <AlertStripe level={alert} />
      <div role="gridcell" className="flex min-w-0 items-center gap-1.5">
        {name}
        <Badge>{typeLabel(guest)}</Badge>
        <span className={cx('text-xs whitespace-nowrap tabular-nums', !faint && 'text-ink-2')}>
          {guest.vmid}
          <span className="text-ink-3"> · </span>
          <Uptime startedAt={view.startedAt} stale={stale} />
        </span>
      </div>
      <div role="gridcell" className="grid grid-cols-3 gap-3 text-xs">
        <PhoneFigure label="CPU">
          <Usage percent={view.cpuPercent} scale="cpu" stale={stale} />
        </PhoneFigure>
        <PhoneFigure label="Mem">
          <Usage
            percent={view.memoryPercent}
            scale="memory"
            stale={stale}
            estimate={view.memoryEstimate !== undefined}
          />
        </PhoneFigure>
        <PhoneFigure label="Disk">
          <Usage percent={view.diskPercent} scale="disk" stale={stale} />
        </PhoneFigure>
      </div>
    </div>
  )
}
