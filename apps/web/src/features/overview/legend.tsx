import { formatNumber } from '../../lib/format.ts'
import { StatusDot } from '../../ui/status-dot.tsx'

/** Below the table; stays at the window's edge while the table is longer than the window. */
export function Legend({
  running,
  stopped,
  unreachable,
  waiting,
}: {
  running: number
  stopped: number
  /** of the stopped */
  unreachable: number
  /** the order is of before, because somebody is at the table */
  waiting: boolean
}) {
  return (
    <div className="sticky bottom-0 z-[5] flex min-h-8 flex-wrap items-center gap-x-4 border-t border-line bg-sunken px-3 py-1 text-xs whitespace-nowrap text-ink-2 tabular-nums">
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden className="inline-flex">
          <StatusDot tone="green" label="" />
        </span>
        {formatNumber(running)} running
      </span>
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden className="inline-flex">
          <StatusDot tone="neutral" label="" ring />
        </span>
        {formatNumber(stopped)} stopped
        {unreachable > 0 && (
          <span className="-ml-1.5 text-red">{`, ${formatNumber(unreachable)} of them unreachable`}</span>
        )}
      </span>
      {waiting && <span className="ml-auto truncate text-ink-3">Order waits while you are here</span>}
    </div>
  )
}
