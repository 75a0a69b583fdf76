import { formatClock, formatNumber, formatTemperature, MISSING } from '../../lib/format.ts'
import { cx } from '../../ui/cx.ts'
import { tip } from '../../ui/tooltip.tsx'
import { AlertStripe } from '../alert-stripe.tsx'
import { Cell, cellClass, NumberCell, UptimeCell, UsageCell, usedOfTotal } from '../cells.tsx'
import { rowClass, spanClass } from '../grid/columns.ts'
import { LostEdge, Offline } from '../lost.tsx'
import type { SummaryColumn, SummaryColumnId } from './columns.ts'
import type { CountId, SummaryRow, SummaryUsage } from './rows.ts'
import type { SummaryLineProps } from './line-props.ts'
import { SummaryName } from './summary-name.tsx'
import { Temperature } from './temperature.tsx'

export function SummaryTableRow({
  row,
  columns,
  alerts,
  selected,
  dimmed,
  tabIndex,
}: SummaryLineProps & { row: SummaryRow }) {
  const alert = alerts.get(row.wireId)
  const faint = dimmed || !row.online || row.staleSince !== undefined
  return (
    <div
      data-dimmed={faint}
      className={rowClass(
        cx(
          'relative border-b border-line',
          selected ? 'bg-accent-soft' : row.lost ? 'bg-lost hover:bg-lost-hover' : 'hover:bg-hover',
          faint && 'text-ink-3 [&_.usage-bar]:opacity-50',
        ),
      )}
    >
      {columns.map((column) => {
        if (column.id === 'name')
          return (
            <Cell key="name" className={cx('flex items-center gap-1.5 pl-3', spanClass(column))}>
              {row.lost && <LostEdge />}
              <AlertStripe level={alert} />
              <SummaryName row={row} alert={alert} dimmed={faint && !row.lost} tabIndex={tabIndex} />
            </Cell>
          )
        if (row.lost === 'offline' && bars.has(column.id))
          return column.id === 'cpu' && <OfflineCell key="offline" row={row} />
        return <SummaryCell key={column.id} column={column} row={row} />
      })}
    </div>
  )
}

const bars: ReadonlySet<SummaryColumnId> = new Set(['cpu', 'memory', 'disk'])

/** Takes the place of all three bars: a column of dashes would say less. */
function OfflineCell({ row }: { row: SummaryRow }) {
  return (
    <div role="gridcell" aria-colspan={bars.size} className={cellClass('col-span-3')}>
      <Offline since={row.offlineSince} />
    </div>
  )
}

function SummaryCell({ column, row }: { column: SummaryColumn; row: SummaryRow }) {
  const stale = row.staleSince !== undefined
  switch (column.id) {
    case 'uptime':
      return <UptimeCell startedAt={row.startedAt} stale={stale} />
    case 'cpu':
      return (
        <UsageCell
          percent={row.cpuPercent}
          scale="cpu"
          stale={stale}
          hint={row.cpuPercent === undefined ? row.withheld : coresHint(row)}
        />
      )
    case 'memory':
    case 'disk': {
      const usage = row[column.id]
      return (
        <UsageCell
          percent={usage?.percent}
          scale={column.id}
          stale={stale}
          aged={usage?.staleSince !== undefined && !stale}
          hint={usage ? usageHint(usage) : row.withheld}
        />
      )
    }
    case 'temperature':
      return <TemperatureCell row={row} stale={stale} />
    default:
      return <NumberCell className={spanClass(column)}>{count(row, column.id as CountId)}</NumberCell>
  }
}

const coresHint = ({ cores }: SummaryRow) =>
  cores ? `${cores} ${cores === 1 ? 'core' : 'cores'}` : undefined

function usageHint({ used, total, staleSince }: SummaryUsage): string | undefined {
  const size = usedOfTotal(used, total)
  return staleSince === undefined ? size : `${size}, as of ${formatClock(staleSince)}`
}

const count = (row: SummaryRow, id: CountId) => formatNumber(row.counts[id])

function TemperatureCell({ row, stale }: { row: SummaryRow; stale: boolean }) {
  const { min, max } = row.temperatureRange ?? {}
  const hint = min || max ? `Lowest ${formatTemperature(min)}, highest ${formatTemperature(max)}` : undefined
  return (
    <div role="gridcell" className={cellClass('text-right whitespace-nowrap tabular-nums')} {...tip(hint)}>
      {row.temperature === undefined ? (
        <span className="text-ink-3">{MISSING}</span>
      ) : (
        <Temperature value={row.temperature} stale={stale} />
      )}
    </div>
  )
}
