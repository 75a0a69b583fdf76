import type { Span } from '../../lib/times.ts'
import { eventCorners } from '../chart/event-symbols.ts'
import { type ChartEvent, type EventSymbol, timeText } from '../chart/series.ts'
import { MoreLine, type NotLoaded } from './more-line.tsx'

interface EventLinesProps {
  /** newest first */
  events: readonly ChartEvent[]
  notLoaded: NotLoaded
  span: Span
}

/** keeps the details small */
const most = 5

/** Reboots, migrations and backups behind the symbols of the charts. */
export function EventLines({ events, notLoaded, span }: EventLinesProps) {
  const within = events.filter(({ from, to }) => span.from <= to && from <= span.to)
  if (within.length === 0 && !notLoaded) return null
  const shown = mostTelling(within)
  return (
    <ul aria-label="Events" className="flex flex-col gap-0.5 text-xs text-ink-2">
      {shown.map(({ id, from, to, text, symbol }) => (
        <li key={id} className="flex gap-x-2 max-sm:flex-wrap">
          <SymbolSample symbol={symbol} />
          <span className="whitespace-nowrap tabular-nums">
            {timeText(from, span)}
            {to > from && ` to ${timeText(to, span)}`}
          </span>
          <span className="min-w-0 break-words text-ink max-sm:basis-full max-sm:pl-5">{text}</span>
        </li>
      ))}
      <MoreLine more={within.length - shown.length} notLoaded={notLoaded} />
    </ul>
  )
}

/** The newest ones. Backups, which come every day, leave room for what is rarer. */
function mostTelling(events: readonly ChartEvent[]): readonly ChartEvent[] {
  const byRarity = events.toSorted((a, b) => Number(a.symbol === 'backup') - Number(b.symbol === 'backup'))
  const chosen = new Set(byRarity.slice(0, most))
  return events.filter((one) => chosen.has(one))
}

const SymbolSample = ({ symbol }: { symbol: EventSymbol }) => (
  <svg aria-hidden width="12" height="16" viewBox="-1.5 -2 3 4" className="shrink-0">
    <polygon points={eventCorners[symbol].map((corner) => corner.join()).join(' ')} fill="var(--ink-2)" />
  </svg>
)
