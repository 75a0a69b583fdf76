import { X } from 'lucide-react'
import { type KeyboardEvent, memo, useState } from 'react'
import { formatMoment, formatNumber } from '../../../lib/format.ts'
import { cx } from '../../../ui/cx.ts'
import { tip } from '../../../ui/tooltip.tsx'
import { barHeight, bucketLabel, type Bucket, type Buckets, labelledBuckets } from './buckets.ts'
import type { TimeRange } from './shown-rows.ts'

/** px */
const HEIGHT = 96

interface HistoryChartProps extends Buckets {
  selected: TimeRange | undefined
  onSelect: (range: TimeRange | undefined) => void
}

/** Alerts over time, on a logarithmic scale. Tab enters the bars; arrow keys move between them. */
export const HistoryChart = memo(function HistoryChart({
  hours,
  buckets,
  selected,
  onSelect,
}: HistoryChartProps) {
  const [wanted, setWanted] = useState<number>()
  const at = Math.min(wanted ?? buckets.length - 1, buckets.length - 1)
  const most = Math.max(0, ...buckets.map(({ warning, critical }) => warning + critical))

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buckets.length - 1 }[event.key]
    if (next === undefined || !buckets[next]) return
    event.preventDefault()
    setWanted(next)
    event.currentTarget.querySelector<HTMLElement>(`[data-bucket="${next}"]`)?.focus()
  }

  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="flex min-h-6 flex-wrap items-center gap-x-3 text-xs text-ink-3">
        {selected ? (
          <FilteredRange range={selected} onClear={() => onSelect(undefined)} />
        ) : (
          <span>
            Alerts over time, {bucketLabel(hours)} per bar
            {most > 0 && `, up to ${formatNumber(most)}`}
          </span>
        )}
        <span aria-hidden data-legend className="flex items-center gap-3">
          {stacked.map(
            ({ level, label, fill }) =>
              buckets.some((bucket) => bucket[level] > 0) && <Key key={level} fill={fill} label={label} />,
          )}
        </span>
      </figcaption>
      <div
        role="group"
        aria-label="Alerts over time"
        className="flex items-end border-b border-line-strong"
        style={{ height: HEIGHT }}
        onKeyDown={onKeyDown}
      >
        {buckets.map((bucket, index) => (
          <Bar
            // keyed by index: a reload shifts every bucket, and the focus must stay
            key={index}
            index={index}
            bucket={bucket}
            most={most}
            isSelected={selected !== undefined && isSame(bucket, selected)}
            isFaint={selected !== undefined && !isSame(bucket, selected)}
            tabIndex={index === at ? 0 : -1}
            onPress={() => onSelect(selected && isSame(bucket, selected) ? undefined : bucket)}
          />
        ))}
      </div>
      <div aria-hidden className="relative h-4 text-2xs text-ink-3">
        {labelledBuckets(buckets.length).map((index) => (
          <span
            key={index}
            data-axis-label
            className="absolute -translate-x-1/2 whitespace-nowrap max-sm:even:hidden"
            style={{ left: `clamp(1.5rem, ${((index + 0.5) / buckets.length) * 100}%, 100% - 1.5rem)` }}
          >
            {axisText(buckets[index]!.start, hours)}
          </span>
        ))}
      </div>
    </figure>
  )
})

/** A reload shifts the buckets, so the selected bucket is the one that contains the selection's start. */
const isSame = (bucket: Bucket, selected: TimeRange): boolean =>
  selected.start >= bucket.start && selected.start < bucket.end

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })
const axisText = (at: number, hours: number) => (hours <= 1 ? clock : day).format(at)

interface FilteredRangeProps {
  range: TimeRange
  onClear: () => void
}

/** Replaces the chart's caption, so that nothing below moves. */
const FilteredRange = ({ range, onClear }: FilteredRangeProps) => (
  <span className="flex min-w-0 flex-wrap items-center gap-x-2">
    <span className="font-medium text-ink">Filtered Range</span>
    <span className="text-ink-2 tabular-nums max-sm:order-last">
      {formatMoment(range.start)} to {formatMoment(range.end)}
    </span>
    <button
      type="button"
      onClick={onClear}
      className="inline-flex h-6 items-center gap-1 rounded px-1 font-medium text-ink-2 hover:bg-hover hover:text-ink"
    >
      <X aria-hidden size={13} />
      Clear filter
    </button>
  </span>
)

/** Top to bottom, in the bars and the legend. */
const stacked = [
  { level: 'critical', label: 'Critical', fill: 'bg-red-fill' },
  { level: 'warning', label: 'Warning', fill: 'bg-yellow-fill' },
] as const

const Key = ({ fill, label }: { fill: string; label: string }) => (
  <span className="flex items-center gap-1">
    <span className={cx('size-2 rounded-xs', fill)} />
    {label}
  </span>
)

interface BarProps {
  index: number
  bucket: Bucket
  most: number
  isSelected: boolean
  isFaint: boolean
  tabIndex: 0 | -1
  onPress: () => void
}

function Bar({ index, bucket, most, isSelected, isFaint, tabIndex, onPress }: BarProps) {
  const { start, end, warning, critical } = bucket
  const total = warning + critical
  const height = barHeight(total, most, HEIGHT)
  const span = `${formatMoment(start)} to ${formatMoment(end)}`
  const counts = `${formatNumber(critical)} critical, ${formatNumber(warning)} warning`
  return (
    <button
      type="button"
      data-bucket={index}
      aria-pressed={isSelected}
      aria-label={`${span}: ${counts}`}
      tabIndex={tabIndex}
      onClick={onPress}
      className={cx(
        'flex h-full min-w-0 flex-1 flex-col justify-end hover:bg-hover focus-visible:z-[1] focus-visible:outline-offset-[-2px]',
        isSelected && 'bg-accent-soft',
      )}
      {...tip(`${span}\n${counts}`, 280)}
    >
      <span
        aria-hidden
        data-bar
        className={cx('mx-[12%] flex flex-col overflow-hidden rounded-t-xs', isFaint && 'opacity-40')}
        style={{ height }}
      >
        {stacked.map(({ level, fill }) => (
          <span key={level} className={fill} style={{ flexGrow: bucket[level] }} />
        ))}
      </span>
    </button>
  )
}
