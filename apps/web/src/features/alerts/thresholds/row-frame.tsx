import type { ReactNode } from 'react'
import { cellClass } from '../../../parts/cells/cells.tsx'
import { rowClass, stuckClass } from '../../../parts/grid/columns.ts'
import { cx } from '../../../ui/cx.ts'
import type { Metric } from './metrics.ts'

export interface RowParts {
  toggle?: ReactNode
  name: ReactNode
  metrics: readonly Metric[]
  value: (metric: Metric) => ReactNode
  offline?: ReactNode
  actions?: ReactNode
}

interface RowFrameProps extends RowParts {
  phone: boolean
  dimmed?: boolean
  /** shaded, because it applies to all rows below */
  head?: boolean
  hasOffline: boolean
}

/** A table row. Where the columns do not fit, the values move below the name. */
export function RowFrame(props: RowFrameProps) {
  const {
    toggle,
    name,
    metrics,
    value,
    offline,
    actions,
    phone,
    dimmed = false,
    head = false,
    hasOffline,
  } = props
  const look = cx(
    'border-b border-line',
    head ? 'bg-hover' : 'bg-surface hover:bg-hover',
    // uses a text colour: half-transparent text would be too faint to read
    dimmed && '[&_[data-fades]]:text-ink-3! [&_[data-fades]_*]:text-ink-3!',
  )
  if (phone) {
    return (
      <div data-dimmed={dimmed} className={cx(look, 'flex flex-col gap-2 px-3 py-2.5')}>
        <div role="gridcell" className="flex min-w-0 items-center gap-2">
          {toggle}
          <span data-fades className="flex min-w-0 flex-1 flex-wrap items-center gap-x-1.5 gap-y-1">
            {name}
          </span>
          {metrics.length === 0 && offline}
          {actions}
        </div>
        {metrics.length > 0 && (
          <div role="gridcell" data-fades className="grid grid-cols-2 gap-x-4 gap-y-1 text-xs">
            {metrics.map((metric) => (
              <span key={metric.key} className="flex items-center justify-between gap-1">
                <span className="min-w-0 leading-tight text-ink-3">{metric.header}</span>
                <span className="w-13 shrink-0">{value(metric)}</span>
              </span>
            ))}
            {hasOffline && (
              <span className="flex items-center justify-between gap-2">
                <span className="text-ink-3">Offline</span>
                {offline}
              </span>
            )}
          </div>
        )}
      </div>
    )
  }
  return (
    <div data-dimmed={dimmed} className={rowClass(look)}>
      <div role="gridcell" className={cellClass('flex items-center pl-3')}>
        {toggle}
      </div>
      <div role="gridcell" className={cellClass('flex h-full items-center', stuckClass('start'))}>
        <span data-fades className="flex min-w-0 items-center gap-1.5">
          {name}
        </span>
      </div>
      {metrics.map((metric) => (
        <div key={metric.key} role="gridcell" data-fades className="min-w-0 px-1">
          {value(metric)}
        </div>
      ))}
      {hasOffline && (
        <div role="gridcell" className={cellClass('flex items-center')}>
          {offline}
        </div>
      )}
      <div
        role="gridcell"
        className={cellClass('flex h-full items-center justify-end gap-0.5', stuckClass('end'))}
      >
        {actions}
      </div>
    </div>
  )
}
