import { Braces, CalendarMinus, FileSpreadsheet, Table2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatMoment } from '../../lib/format.ts'
import { useClock } from '../../lib/moment.tsx'
import { Button } from '../../ui/button.tsx'
import { SegmentedToggle } from '../../ui/segmented-toggle.tsx'
import { SideScroll } from '../../ui/side-scroll.tsx'
import { SpanForm } from '../../ui/span-form.tsx'
import { canShowWeek, type HistoryChoice, type Range, ranges, spanUntil } from './range.ts'

interface RangeBarProps {
  /** buttons beside the others */
  tools?: ReactNode
  choice: HistoryChoice
  onChoose: (choice: HistoryChoice) => void
  onZoomOut: () => void
  /** undefined: nothing to download */
  onDownload: ((form: 'csv' | 'json') => void) | undefined
}

const options = [...ranges, { value: 'custom', label: 'Custom' }] as const

/** What the charts show: the time, the form, and files of it. */
export function RangeBar({ tools, choice, onChoose, onZoomOut, onDownload }: RangeBarProps) {
  const { range, custom, zoom, asTable, lastWeek = false } = choice
  const clock = useClock()
  const chooseRange = (next: Range) => onChoose(withRange(choice, next, clock()))
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="max-w-full min-w-0">
          <SideScroll>
            <SegmentedToggle
              label="Time range"
              value={range}
              options={options}
              onChange={chooseRange}
              onReset={() => zoom && onZoomOut()}
            />
          </SideScroll>
        </div>
        {zoom && (
          <span className="flex flex-wrap items-center gap-2 text-xs text-ink-2 tabular-nums">
            {formatMoment(zoom.from)} to {formatMoment(zoom.to)}
            <Button onClick={onZoomOut}>{backText(range)}</Button>
          </span>
        )}
        <div className="ml-auto flex flex-wrap items-center justify-end gap-1">
          {tools}
          <BarButton
            label="Last week"
            name="Show the same time last week"
            icon={<CalendarMinus aria-hidden size={14} />}
            aria-pressed={lastWeek && canShowWeek(choice)}
            disabled={!canShowWeek(choice)}
            onClick={() => onChoose({ ...choice, lastWeek: !lastWeek })}
          />
          <BarButton
            label="Show as table"
            icon={<Table2 aria-hidden size={14} />}
            aria-pressed={asTable}
            onClick={() => onChoose({ ...choice, asTable: !asTable })}
          />
          <BarButton
            label="CSV"
            name="Download as CSV"
            icon={<FileSpreadsheet aria-hidden size={14} />}
            disabled={!onDownload}
            onClick={() => onDownload?.('csv')}
          />
          <BarButton
            label="JSON"
            name="Download as JSON"
            icon={<Braces aria-hidden size={14} />}
            disabled={!onDownload}
            onClick={() => onDownload?.('json')}
          />
        </div>
      </div>
      {range === 'custom' && custom && (
        <SpanForm
          span={custom}
          onChoose={(next) => onChoose(withRange({ ...choice, custom: next }, range, clock()))}
        />
      )}
    </div>
  )
}

const backText = (range: Range): string =>
  `Back to ${ranges.find(({ value }) => value === range)?.label ?? 'the whole range'}`

/** A free range begins with the times that are shown. */
function withRange(choice: HistoryChoice, next: Range, now: number): HistoryChoice {
  const { zoom: _zoom, custom: former, ...rest } = choice
  if (next !== 'custom') return { ...rest, range: next, chosenAt: now }
  const custom = former ?? spanUntil(choice.range, now)
  return { ...rest, range: next, custom, chosenAt: now }
}

interface BarButtonProps {
  label: string
  /** accessible name, if the label alone does not say what happens */
  name?: string
  icon: ReactNode
  'aria-pressed'?: boolean
  disabled?: boolean
  onClick: () => void
}

const BarButton = ({ label, name, icon, ...button }: BarButtonProps) => (
  <Button
    variant="ghost"
    className="px-2 text-xs aria-pressed:bg-accent-soft aria-pressed:text-accent"
    {...(name && { 'aria-label': name })}
    {...button}
  >
    {icon}
    {label}
  </Button>
)
