import { formatSpan, formatUptime } from '../../lib/format.ts'
import { useNow } from '../../lib/use-now.ts'
import { cx } from '../../ui/cx.ts'
import { TICK_MS } from './cells.tsx'
import { Clock } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { tip } from '../../ui/tooltip.tsx'

/** Shown instead of figures: offline, and for how long if Pulse saw it go offline. */
export function Offline({ since, className }: { since: number | undefined; className?: string }) {
  const span = useNow(TICK_MS, (now) =>
    since === undefined ? '' : ` · ${formatSpan(Math.max(1, (now - since) / 1000))}`,
  )
  return (
    <span className={cx('font-medium whitespace-nowrap text-red tabular-nums', className)}>
      Offline{span}
    </span>
  )
}

/** The red left edge of a row that is down. The row must be positioned. */
export function DownEdge() {
  return <span aria-hidden className="down-edge absolute inset-y-0 left-0 w-1 bg-red-fill" />
}

/** The age of the neighbouring figures; red if the host is down. */
export function StaleBadge({ since, down = false }: { since: number; down?: boolean }) {
  const age = useNow(TICK_MS, (now) => formatUptime(Math.max(1, (now - since) / 1000)))
  return (
    <span className="inline-flex shrink-0" {...tip(`No new data for ${age}.`)}>
      <Badge tone={down ? 'red' : 'orange'}>
        <Clock aria-hidden size={11} className="mr-1" />
        Stale {age}
      </Badge>
    </span>
  )
}
