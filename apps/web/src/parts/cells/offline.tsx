import { formatSpan } from '../../lib/format.ts'
import { useNow } from '../../lib/use-now.ts'
import { cx } from '../../ui/cx.ts'
import { TICK_MS } from './cells.tsx'

/** Replaces figures: offline, and for how long if Pulse saw it go offline. */
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
