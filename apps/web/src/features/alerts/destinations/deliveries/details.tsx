import { MessageText } from '../../../../ui/message-text.tsx'
import type { Delivery, DeliveryAttempt } from '@pulse/contract'
import { formatBytes, formatMoment, formatNumber } from '../../../../lib/format.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { aboutText, causeText, kindTexts, stateTexts, waitText } from './texts.ts'

interface DeliveryDetailsProps {
  /** undefined while closed */
  of: Delivery | undefined
  onClose: () => void
}

/** One message, its contents and every delivery attempt. */
export function DeliveryDetails({ of, onClose }: DeliveryDetailsProps) {
  return (
    <Dialog
      wide
      open={of !== undefined}
      onClose={onClose}
      title={of ? `${kindTexts[of.kind]} to ${of.channelName}` : ''}
      description={of && aboutText(of)}
    >
      {of && <Details delivery={of} />}
    </Dialog>
  )
}

function Details({ delivery }: { delivery: Delivery }) {
  const { alerts, alertCount, log, state, createdAt, eventId, payloadSize } = delivery
  const cause = causeText(delivery)
  const unnamed = alertCount - alerts.length
  return (
    <div className="flex flex-col gap-4 text-table">
      <div className="flex flex-col gap-1">
        <p>
          <Badge tone={stateTexts[state].tone}>{stateTexts[state].word}</Badge>
        </p>
        {cause !== undefined && <p className="wrap-anywhere text-ink-2">{cause}</p>}
        {delivery.wait && <p className="text-ink-2">{waitText(delivery.wait, formatMoment)}</p>}
        <p className="text-xs wrap-anywhere text-ink-3">
          Made {formatMoment(Date.parse(createdAt))}
          {payloadSize !== undefined && `, ${formatBytes(payloadSize)}`}
          {eventId !== undefined && `, event ${eventId}`}
        </p>
      </div>
      {alerts.length > 0 && (
        <section>
          <h3 className="mb-1 font-semibold">Alerts</h3>
          <ul aria-label="Alerts" className="flex flex-col gap-1">
            {alerts.map(({ id, startTime, level, resourceName, message }) => (
              <li key={`${id} ${startTime}`} className="wrap-anywhere">
                <Badge tone={level === 'critical' ? 'red' : 'yellow'}>{level}</Badge>{' '}
                <span className="font-medium">{resourceName}</span>{' '}
                <span className="text-ink-2">{message}</span>
              </li>
            ))}
          </ul>
          {unnamed > 0 && <p className="mt-1 text-xs text-ink-3">and {formatNumber(unnamed)} more</p>}
        </section>
      )}
      <section>
        <h3 className="mb-1 font-semibold">Attempts</h3>
        {log.length === 0 ? (
          <p className="text-ink-2">Not attempted yet.</p>
        ) : (
          <ol aria-label="Attempts" className="flex flex-col gap-2">
            {log.map((attempt, at) => (
              <Attempt key={`${attempt.at} ${at}`} attempt={attempt} />
            ))}
          </ol>
        )}
      </section>
    </div>
  )
}

function Attempt({ attempt }: { attempt: DeliveryAttempt }) {
  const { at, success, statusCode, duration, response, error } = attempt
  return (
    <li className="rounded-md border border-line px-3 py-2">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={success ? 'green' : 'red'}>{success ? 'Delivered' : 'Failed'}</Badge>
        {statusCode !== undefined && <span>Answered {statusCode}</span>}
        <span className="ml-auto text-xs text-ink-3 tabular-nums">
          {formatMoment(Date.parse(at))}, {formatNumber(duration)} ms
        </span>
      </p>
      {error && (
        <p className="mt-1 wrap-anywhere text-ink-2">
          <MessageText text={error} />
        </p>
      )}
      {response && (
        <pre className="mt-1 max-h-40 overflow-auto font-mono text-xs wrap-anywhere whitespace-pre-wrap text-ink-2">
          {response}
        </pre>
      )}
    </li>
  )
}
