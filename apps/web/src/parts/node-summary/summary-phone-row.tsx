import { formatNumber } from '../../lib/format.ts'
import { cx } from '../../ui/cx.ts'
import { AlertStripe } from '../alert-stripe.tsx'
import { Uptime, Usage } from '../cells.tsx'
import { LostEdge, Offline } from '../lost.tsx'
import { PhoneFigure, phoneRowClass } from '../phone-row.tsx'
import { phoneCount, type SummaryColumn } from './columns.ts'
import type { CountId, SummaryRow, SummaryUsage } from './rows.ts'
import type { SummaryLineProps } from './line-props.ts'
import { SummaryName } from './summary-name.tsx'
import { Temperature } from './temperature.tsx'

export function SummaryPhoneRow({
  row,
  columns,
  alerts,
  selected,
  dimmed,
  tabIndex,
}: SummaryLineProps & { row: SummaryRow }) {
  const alert = alerts.get(row.wireId)
  const stale = row.staleSince !== undefined
  const isAged = (usage: SummaryUsage | undefined) => usage?.staleSince !== undefined && !stale
  const faint = dimmed || !row.online || stale
  return (
    <div data-dimmed={faint} className={phoneRowClass({ faint, selected, lost: row.lost !== undefined })}>
      {row.lost && <LostEdge />}
      <AlertStripe level={alert} />
      <div role="gridcell" className="flex min-w-0 items-center gap-1.5">
        <SummaryName row={row} alert={alert} dimmed={faint && !row.lost} tabIndex={tabIndex} />
        {row.temperature !== undefined && (
          <span className="text-xs">
            <Temperature value={row.temperature} stale={stale} />
          </span>
        )}
        <span className={cx('text-xs whitespace-nowrap tabular-nums', !faint && 'text-ink-2')}>
          {countsOf(row, columns).map((text) => (
            <span key={text}>
              {text}
              <span className="text-ink-3"> · </span>
            </span>
          ))}
          <Uptime startedAt={row.startedAt} stale={stale} />
        </span>
      </div>
      {row.lost === 'offline' ? (
        <div role="gridcell" className="text-xs">
          <Offline since={row.offlineSince} />
        </div>
      ) : (
        <div role="gridcell" className="grid grid-cols-3 gap-3 text-xs">
          <PhoneFigure label="CPU">
            <Usage percent={row.cpuPercent} scale="cpu" stale={stale} />
          </PhoneFigure>
          <PhoneFigure label="Mem">
            <Usage percent={row.memory?.percent} scale="memory" stale={stale} aged={isAged(row.memory)} />
          </PhoneFigure>
          <PhoneFigure label="Disk">
            <Usage percent={row.disk?.percent} scale="disk" stale={stale} aged={isAged(row.disk)} />
          </PhoneFigure>
        </div>
      )}
    </div>
  )
}

/** Those of the tab that are known, such as `12 VMs`. */
function countsOf(row: SummaryRow, columns: readonly SummaryColumn[]): string[] {
  return columns.flatMap(({ id }) => {
    const count = row.counts[id as CountId]
    return count === undefined ? [] : [phoneCount(id as CountId, formatNumber(count), count)]
  })
}
