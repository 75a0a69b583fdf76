import { memo } from 'react'
import { formatClock, formatTemperature, MISSING } from '../../lib/format.ts'
import { toneOf } from '../../lib/tones.ts'
import { cx } from '../../ui/cx.ts'
import { toneText } from '../../ui/tone-class.ts'
import { tip } from '../../ui/tooltip.tsx'
import { cellClass, drawUsageCell, Usage, usedOfTotal } from '../cells/cells.tsx'
import { Offline } from '../cells/outage.tsx'
import type { SummaryRow, SummaryUsage } from './rows.ts'

type UsageId = 'cpu' | 'memory' | 'disk'

export const isStale = ({ staleSince }: SummaryRow): boolean => staleSince !== undefined

/**
 * As an element of a memoized component. For an offline node the first cell replaces all three, because its
 * text is clearer than three dashes.
 */
export function drawUsageOf(id: UsageId, row: SummaryRow) {
  if (row.outage !== 'offline') return drawUsageCell({ ...usageOf(id, row), hint: hintOf(id, row) })
  if (id !== 'cpu') return null
  return (
    <div role="gridcell" aria-colspan={3} className={cellClass('col-span-3')}>
      <Offline since={row.offlineSince} />
    </div>
  )
}

export const drawFigure = (id: UsageId, row: SummaryRow) => <Usage {...usageOf(id, row)} />

function usageOf(id: UsageId, row: SummaryRow) {
  const stale = isStale(row)
  if (id === 'cpu') return { percent: row.cpuPercent, scale: id, stale }
  const usage = row[id]
  return { percent: usage?.percent, scale: id, stale, staleAlone: usage?.staleSince !== undefined && !stale }
}

function hintOf(id: UsageId, row: SummaryRow): string | undefined {
  if (id === 'cpu') return row.cpuPercent === undefined ? row.withheld : coresHint(row)
  const usage = row[id]
  return usage ? usageHint(usage) : row.withheld
}

const coresHint = ({ cores }: SummaryRow) =>
  cores ? `${cores} ${cores === 1 ? 'core' : 'cores'}` : undefined

function usageHint({ used, total, staleSince }: SummaryUsage): string | undefined {
  const size = usedOfTotal(used, total)
  return staleSince === undefined ? size : `${size}, as of ${formatClock(staleSince)}`
}

export function drawTemperatureCell(row: SummaryRow) {
  const { min, max } = row.temperatureRange ?? {}
  const hint = min || max ? `Lowest ${formatTemperature(min)}, highest ${formatTemperature(max)}` : undefined
  return <TemperatureCell celsius={row.temperature} stale={isStale(row)} hint={hint} />
}

interface TemperatureProps {
  celsius: number | undefined
  stale: boolean
}

const TemperatureCell = memo(function TemperatureCell({
  hint,
  ...shown
}: TemperatureProps & { hint: string | undefined }) {
  return (
    <div role="gridcell" className={cellClass('text-right whitespace-nowrap tabular-nums')} {...tip(hint)}>
      {shown.celsius === undefined ? (
        <span className="text-ink-3">{MISSING}</span>
      ) : (
        <Temperature {...shown} />
      )}
    </div>
  )
})

/** Coloured above its thresholds; a stale value has no colour. */
export function Temperature({ celsius, stale }: TemperatureProps) {
  const tone = stale ? 'neutral' : toneOf('nodeTemperature', celsius)
  const warm = tone === 'red' || tone === 'yellow'
  return <span className={cx(warm && `font-medium ${toneText[tone]}`)}>{formatTemperature(celsius)}</span>
}
