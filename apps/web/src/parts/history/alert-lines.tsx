import type { Span } from '../../lib/times.ts'
import { toneText } from '../../ui/tone-class.ts'
import { timeText } from '../chart/series.ts'
import { MoreLine } from './more-line.tsx'
import type { HistoryAlert } from './use-alerts.ts'

interface AlertLinesProps {
  /** newest first */
  alerts: readonly HistoryAlert[]
  /** there are older ones that were not loaded */
  isCut: boolean
  span: Span
}

/** keeps the details small */
const shown = 5

/** The alerts behind the marks of the charts. */
export function AlertLines({ alerts, isCut, span }: AlertLinesProps) {
  const within = alerts.filter(({ at }) => span.from <= at && at <= span.to)
  if (within.length === 0 && !isCut) return null
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
      <MoreLine more={within.length - shown} notLoaded={isCut ? 'alerts' : undefined} />
    </ul>
  )
}
