import { formatMoment, formatRelative } from '../../../lib/format.ts'
import { useNow } from '../../../lib/use-now.ts'
import { TICK_MS } from '../../../parts/cells/cells.tsx'
import { tip } from '../../../ui/tooltip.tsx'

/** Relative time; the exact time is in the tooltip. */
export function When({ time }: { time: string }) {
  const at = Date.parse(time)
  const ago = useNow(TICK_MS, (now) => formatRelative(at, now))
  return (
    <time dateTime={time} className="whitespace-nowrap tabular-nums" {...tip(formatMoment(at))}>
      {ago}
    </time>
  )
}
