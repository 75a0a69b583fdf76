import type { BackTest } from '@pulse/contract'
import { formatAxisTime, formatNumber } from '../../../lib/format.ts'
import { tip } from '../../../ui/tooltip.tsx'

/** px */
const height = 36
const longMs = 14 * 86_400_000

/** A bar for each day, as high as its number of alerts. */
export function BackTestDays({ days }: { days: BackTest['perDay'] }) {
  const most = Math.max(1, ...days.map(({ count }) => count))
  return (
    <ol aria-label="Alerts per day" className="mt-2 flex max-w-96 items-end gap-0.5">
      {days.map(({ day, count }) => {
        const text = `${formatAxisTime(day, longMs)}: ${formatNumber(count)}`
        return (
          <li
            key={day}
            aria-label={text}
            className="flex min-w-0 flex-1 items-end border-b border-line"
            style={{ height }}
            {...tip(text)}
          >
            <span
              aria-hidden
              className="w-full rounded-t-sm bg-accent"
              // a day with an alert is never empty
              style={{ height: count === 0 ? 0 : Math.max(2, Math.round((count / most) * height)) }}
            />
          </li>
        )
      })}
    </ol>
  )
}
