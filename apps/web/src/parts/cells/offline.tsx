import { formatSpan } from '../../lib/format.ts'
import { useNow } from '../../lib/use-now.ts'
import { cx } from '../../ui/cx.ts'
import { TICK_MS } from './cells.tsx'

/** In place of figures: that it is off, and for how long as far as anybody saw. */
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

/** At the left edge of what cannot be reached, from top to bottom. The row must be positioned. */
export function LostEdge() {
  return <span aria-hidden className="lost-edge absolute inset-y-0 left-0 w-1 bg-red-fill" />
}
