import type { NoticeKind, TracedCondition, TracedNotice } from '@pulse/contract'
import { formatMoment } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { UiTone } from '../../../ui/tone-class.ts'
import { typeText } from '../type-text.ts'
import { factsOf, stepText } from './facts.ts'
import { TimeLeft, untilAlert, untilSent } from './time-left.tsx'

const states: Record<TracedCondition['state'], { word: string; tone: UiTone }> = {
  normal: { word: 'Normal', tone: 'green' },
  off: { word: 'Off', tone: 'neutral' },
  unknown: { word: 'Unknown', tone: 'neutral' },
  pending: { word: 'Waiting', tone: 'orange' },
  active: { word: 'Alert', tone: 'red' },
  clearing: { word: 'Alert, clearing', tone: 'orange' },
  held: { word: 'Held', tone: 'yellow' },
  suppressed: { word: 'Suppressed', tone: 'yellow' },
}

interface ConditionProps {
  condition: TracedCondition
  /** epoch ms; when the trace was loaded */
  asOf: number
}

/** One condition and its evaluation. */
export function Condition({ condition, asOf }: ConditionProps) {
  const { word, tone } = states[condition.state]
  const leftMs = untilAlert(condition)
  return (
    <section className="rounded-md border border-line px-3 py-2 text-table">
      <h3 className="flex flex-wrap items-center gap-2 font-medium">
        {typeText(condition.type)}
        <Badge tone={tone}>{word}</Badge>
        {condition.evaluatedAt && (
          <span className="ml-auto text-xs font-normal text-ink-3">
            {formatMoment(Date.parse(condition.evaluatedAt))}
          </span>
        )}
      </h3>
      {condition.reason && <p className="wrap-anywhere text-ink-2">{condition.reason}</p>}
      <dl className="mt-1 grid grid-cols-[max-content_1fr] gap-x-4 gap-y-0.5 text-xs">
        {factsOf(condition).map(([term, text]) => (
          <div key={term} className="contents">
            <dt className="text-ink-3">{term}</dt>
            <dd className="wrap-anywhere text-ink-2 tabular-nums">{text}</dd>
          </div>
        ))}
        {leftMs !== undefined && (
          <div className="contents">
            <dt className="text-ink-3">Becomes an alert</dt>
            <dd className="text-ink-2 tabular-nums">
              <TimeLeft leftMs={leftMs} asOf={asOf} over="at the next check" />
            </dd>
          </div>
        )}
      </dl>
      {condition.steps.length > 0 && (
        <ol className="mt-1.5 list-decimal pl-5 text-xs text-ink-2">
          {condition.steps.map((step, at) => (
            <li key={at} className="wrap-anywhere">
              {stepText(step)}
            </li>
          ))}
        </ol>
      )}
      {condition.notices && condition.notices.length > 0 && (
        <Notices notices={condition.notices} asOf={asOf} />
      )}
    </section>
  )
}

interface NoticesProps {
  notices: readonly TracedNotice[]
  asOf: number
}

/** Sent, suppressed and pending notifications of a condition. */
function Notices({ notices, asOf }: NoticesProps) {
  return (
    <div className="mt-2 text-xs">
      <h4 className="font-medium">Notifications</h4>
      <ul aria-label="Notifications" className="mt-0.5 flex flex-col gap-0.5 text-ink-2">
        {notices.map((notice, index) => {
          const { at, channel, text, next } = notice
          const leftMs = untilSent(notice)
          return (
            <li key={index} className="wrap-anywhere">
              {leftMs === undefined && (
                <span className="text-ink-3 tabular-nums">{formatMoment(Date.parse(at))} </span>
              )}
              {channel !== undefined && <span className="font-medium">{channel}: </span>}
              {text}
              {leftMs !== undefined && (
                <span className="text-ink tabular-nums">
                  {' '}
                  {next ? `${nextTexts[next.kind]} ` : 'Goes out '}
                  <TimeLeft leftMs={leftMs} asOf={asOf} over="now" />.
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

const nextTexts: Record<NoticeKind, string> = {
  raised: 'Next attempt',
  repeated: 'Next reminder',
  escalated: 'Next escalation',
  resolved: 'All-clear',
  test: 'Test',
}
