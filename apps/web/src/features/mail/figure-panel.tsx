import { type ReactNode, useId } from 'react'
import { MISSING } from '../../lib/format.ts'
import { StaleBadge } from '../../parts/cells/outage.tsx'
import { cx } from '../../ui/cx.ts'
import { tip } from '../../ui/tooltip.tsx'
import type { FigureRow } from './figures.ts'

interface FigurePanelProps {
  title: string
  /** the period, unless the title names it */
  span?: string
  /** epoch ms since when its figures are stale */
  staleSince?: number | undefined
  /** replaces missing figures */
  missing?: string | undefined
  /** the content is a table that reaches the card's edges */
  flush?: boolean
  children?: ReactNode
}

/** One topic of a gateway. */
export function FigurePanel({ title, span, staleSince, missing, flush, children }: FigurePanelProps) {
  const id = useId()
  return (
    // a group, because landmarks would repeat for each gateway
    <div role="group" aria-labelledby={id} className={cx('min-w-0', flush && 'border-t border-line')}>
      <header className={cx('flex h-7 items-center gap-1.5', flush && 'px-4')}>
        <h3 id={id} className="truncate text-2xs font-medium tracking-wide text-ink-3 uppercase">
          {title}
        </h3>
        {span && <span className="text-2xs text-ink-3">{span}</span>}
        {staleSince !== undefined && missing === undefined && <StaleBadge since={staleSince} />}
      </header>
      {missing === undefined ? children : <p className="py-1.5 text-table text-ink-3">{missing}</p>}
    </div>
  )
}

/** Columns for label, figure, rate per hour and share. */
export function Figures({ label, rows }: { label: string; rows: readonly FigureRow[] }) {
  return (
    <dl aria-label={label} className="figures text-table">
      {rows.map((row) => (
        <Line key={row.label} row={row} />
      ))}
    </dl>
  )
}

function Line({ row: { label, figure, unit, perHour, share, of, note } }: { row: FigureRow }) {
  return (
    <div className="flex h-7 items-center gap-3 border-b border-line last:border-b-0">
      <dt className="min-w-0 flex-1 truncate text-ink-2">{label}</dt>
      <dd className="flex items-baseline gap-3 text-right whitespace-nowrap">
        {note && <span className="text-xs text-ink-3">{note}</span>}
        <span
          className={cx(
            'font-medium',
            figure === MISSING ? 'text-ink-3' : 'text-ink group-data-stale/gateway:text-ink-3',
          )}
        >
          {figure}
          {unit && <span className="font-normal text-ink-3"> {unit}</span>}
        </span>
        {perHour && <span className="w-[4.5rem] text-xs text-ink-3">{perHour}</span>}
        {share && (
          <span className="w-12 text-xs text-ink-2" {...tip(of && `Of ${of}`)}>
            {share}
            <span className="sr-only"> of {of}</span>
          </span>
        )}
        {perHour && !share && <span aria-hidden className="w-12" />}
      </dd>
    </div>
  )
}
