import type { Span } from '../../lib/times.ts'
import { formatNumber } from '../../lib/format.ts'
import { toneText } from '../../ui/tone-class.ts'
import { timeText } from '../chart/series.ts'
import type { HistoryAlert } from './use-alerts.ts'

interface AlertLinesProps {
  /** newest first */
  alerts: readonly HistoryAlert[]
  span: Span
}

/** keeps the details small */
const shown = 5

/** The alerts behind the marks of the charts. */
export function AlertLines({ alerts, span }: AlertLinesProps) {
  const within = alerts.filter(({ at }) => span.from <= at && at <= span.to)
  if (within.length === 0) return null
  const more = within.length - shown
  return (
    <ul aria-label="Alerts" className="flex flex-col gap-0.5 text-xs text-ink-2">
      {within.slice(0, shown).map(({ id, at, text, tone }) => (
        <li key={id} className="flex gap-2">
          <span aria-hidden className={toneText[tone]}>
            ▼
          </span>
          <span className="whitespace-nowrap tabular-nums">{timeText(at, span)}</span>
          <span className="min-w-0 break-words text-ink">{text}</span>
        </li>
      ))}
      {more > 0 && <li className="text-ink-3">and {formatNumber(more)} more</li>}
    </ul>
  )
}
