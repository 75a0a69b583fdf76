import type { BackTest } from '@pulse/contract'
import { useMemo } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { tip } from '../../../ui/tooltip.tsx'
import { useConfig } from '../config-edits.tsx'

/** px */
const height = 36

/** A bar for each day of the schedule's time zone, as high as its number of alerts. */
export function BackTestDays({ days }: { days: BackTest['perDay'] }) {
  const { config } = useConfig()
  const timeZone = config.schedule.quietHours.timezone
  const format = useMemo(() => dayFormat(timeZone), [timeZone])
  const most = Math.max(0, ...days.map(({ count }) => count))
  const [first, last] = [days[0], days.at(-1)]
  return (
    <div className="mt-2 max-w-96">
      <ol aria-label="Alerts per day" className="flex items-end gap-0.5">
        {days.map(({ day, count }) => {
          const text = `${format.format(day)}: ${formatNumber(count)}`
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
      {first && last && (
        <p aria-hidden className="mt-0.5 flex justify-between gap-2 text-2xs text-ink-3 tabular-nums">
          <span>{format.format(first.day)}</span>
          {most > 0 && <span>{`up to ${formatNumber(most)} a day`}</span>}
          {last !== first && <span>{format.format(last.day)}</span>}
        </p>
      )}
    </div>
  )
}

/** The server may have a time zone that this browser does not. */
function dayFormat(timeZone: string): Intl.DateTimeFormat {
  const parts = { day: 'numeric', month: 'short' } as const
  try {
    return new Intl.DateTimeFormat(undefined, { ...parts, timeZone })
  } catch {
    return new Intl.DateTimeFormat(undefined, parts)
  }
}
