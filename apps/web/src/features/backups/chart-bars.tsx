import type { DailyBackups } from '@pulse/contract'
import { type KeyboardEvent, memo, useLayoutEffect, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { cx } from '../../ui/cx.ts'
import { tip } from '../../ui/tooltip.tsx'
import { noonOf } from '../../parts/backups/backup-row.ts'
import { barLevel, CHART_HEIGHT, gridLines, labelledDays } from './chart-scale.ts'

interface ChartBarsProps {
  days: readonly DailyBackups[]
  picked: string | undefined
  onPick: (day: string) => void
}

const fills = { none: 'bg-track', few: 'bg-accent-fill', some: 'bg-green-fill', many: 'bg-purple-fill' }

/** px; a year that does not fit scrolls sideways, starting at today */
const LEAST_BAR = 3

const long = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })
const short = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })

/** One button per day. Tab enters the bars; arrow keys move between them. */
export const ChartBars = memo(function ChartBars({ days, picked, onPick }: ChartBarsProps) {
  const lines = gridLines(Math.max(...days.map(({ total }) => total)))
  const top = lines.at(-1)!
  const dates = days.map(({ date }) => noonOf(date))
  const [wanted, setAt] = useState<string>()
  const found = days.findIndex(({ date }) => date === (wanted ?? picked))
  const at = found < 0 ? days.length - 1 : found
  const scroller = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const showToday = () => {
      scroller.current!.scrollLeft = scroller.current!.scrollWidth
    }
    showToday()
    const sizes = new ResizeObserver(showToday)
    sizes.observe(scroller.current!)
    return () => sizes.disconnect()
  }, [days.length])

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: days.length - 1 }[event.key]
    const day = next === undefined ? undefined : days[next]
    if (!day) return
    event.preventDefault()
    setAt(day.date)
    event.currentTarget.querySelector<HTMLElement>(`[data-day="${day.date}"]`)?.focus()
  }

  return (
    <div className="flex gap-2">
      <div
        aria-hidden
        className="relative w-9 shrink-0 text-right text-2xs text-ink-3 tabular-nums"
        style={{ height: CHART_HEIGHT }}
      >
        {lines.map((line) => (
          <span
            key={line}
            className="absolute right-0 translate-y-1/2 leading-none"
            style={{ bottom: `${(line / top) * 100}%` }}
          >
            {formatNumber(line)}
          </span>
        ))}
      </div>
      <div ref={scroller} className="min-w-0 flex-1 overflow-x-auto overflow-y-hidden pt-1.5 -mt-1.5">
        <div style={{ minWidth: days.length * LEAST_BAR }}>
          <div
            role="group"
            aria-label="Backups by day"
            className="relative flex border-b border-line-strong"
            style={{ height: CHART_HEIGHT }}
            onKeyDown={onKeyDown}
          >
            {lines.map((line) => (
              <span
                key={line}
                aria-hidden
                data-grid-line
                className="pointer-events-none absolute inset-x-0 border-t border-line"
                style={{ bottom: `${(line / top) * 100}%` }}
              />
            ))}
            {days.map((day, index) => (
              <Bar
                key={day.date}
                day={day}
                top={top}
                isPicked={day.date === picked}
                isFaint={picked !== undefined && day.date !== picked}
                tabIndex={index === at ? 0 : -1}
                onPick={onPick}
              />
            ))}
          </div>
          <div aria-hidden className="relative h-4 text-2xs text-ink-3">
            {labelledDays(dates).map((index) => (
              <span
                key={days[index]!.date}
                data-axis-label
                className="absolute -translate-x-1/2 whitespace-nowrap max-sm:odd:hidden"
                style={{ left: labelLeft((index + 0.5) / days.length) }}
              >
                {short.format(dates[index])}
              </span>
            ))}
          </div>
        </div>
      </div>
    </div>
  )
})

/** Centred below its bar, but kept within the chart. */
const labelLeft = (share: number) => `clamp(1.25rem, ${share * 100}%, 100% - 1.25rem)`

interface BarProps {
  day: DailyBackups
  top: number
  isPicked: boolean
  /** another day is selected */
  isFaint: boolean
  tabIndex: 0 | -1
  onPick: (day: string) => void
}

const Bar = memo(function Bar({ day, top, isPicked, isFaint, tabIndex, onPick }: BarProps) {
  const { date, total, snapshots, pve, pbs } = day
  const level = barLevel(total)
  const name = long.format(noonOf(date))
  const count = `${formatNumber(total)} ${total === 1 ? 'backup' : 'backups'}`
  const parts = [
    { id: 'pbs', label: 'PBS', count: pbs, strength: '' },
    { id: 'pve', label: 'PVE', count: pve, strength: 'opacity-65' },
    { id: 'snapshots', label: 'Snapshots', count: snapshots, strength: 'opacity-35' },
  ].filter((part) => part.count > 0)
  const breakdown = parts.map((part) => `${part.label} ${formatNumber(part.count)}`).join(' · ')
  return (
    <button
      type="button"
      data-day={date}
      data-level={level}
      aria-pressed={isPicked}
      aria-label={`${name}: ${count}`}
      tabIndex={tabIndex}
      onClick={() => onPick(date)}
      className={cx(
        'relative flex h-full min-w-0 flex-1 flex-col-reverse items-stretch hover:bg-hover focus-visible:z-[1] focus-visible:outline-offset-[-2px]',
        isPicked && 'bg-accent-soft',
        isFaint && '[&>span]:opacity-40',
      )}
      {...tip([name, count, breakdown].filter(Boolean).join('\n'), 260)}
    >
      <span
        aria-hidden
        className="mx-[8%] flex flex-col-reverse overflow-hidden rounded-t-xs"
        style={{ height: total === 0 ? 2 : `${(total / top) * 100}%` }}
      >
        {total === 0 && <span className={cx('h-full', fills.none)} />}
        {parts.map((part) => (
          <span
            key={part.id}
            className={cx(fills[level], part.strength)}
            style={{ height: `${(part.count / total) * 100}%` }}
          />
        ))}
      </span>
    </button>
  )
})
