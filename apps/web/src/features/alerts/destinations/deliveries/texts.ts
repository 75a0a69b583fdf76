import type { Delivery, DeliveryState, NoticeKind, Wait, WaitReason } from '@pulse/contract'
import type { UiTone } from '../../../../ui/tone-class.ts'

export const kindTexts: Record<NoticeKind, string> = {
  raised: 'Alert',
  repeated: 'Reminder',
  escalated: 'Escalation',
  resolved: 'All-clear',
  test: 'Test',
}

export const stateTexts: Record<DeliveryState, { word: string; tone: UiTone }> = {
  waiting: { word: 'Waiting', tone: 'yellow' },
  sending: { word: 'Sending', tone: 'accent' },
  delivered: { word: 'Delivered', tone: 'green' },
  failed: { word: 'Failed', tone: 'red' },
  cancelled: { word: 'Cancelled', tone: 'neutral' },
  dropped: { word: 'Dropped', tone: 'red' },
}

const waitTexts: Record<WaitReason, string> = {
  grouping: 'Grouped',
  queue: 'Queued behind other messages',
  retry: 'Last attempt failed',
  activation: 'Alerts are not active',
  'quiet-hours': 'Quiet hours',
  flapping: 'Flapping',
  'hourly-cap': 'Hourly limit reached',
  order: 'Sent after an earlier message about the same alert',
  room: 'Queue full',
}

/** Why a message waits, and until when: `Grouped, goes out at 6:49 AM`. */
export function waitText({ reason, until }: Wait, clock: (at: number) => string): string {
  const text = waitTexts[reason]
  return until === undefined ? text : `${text}, goes out at ${clock(Date.parse(until))}`
}

/** Its first alert, and the number of further ones. */
export function aboutText({ alerts, alertCount }: Pick<Delivery, 'alerts' | 'alertCount'>): string {
  const [first] = alerts
  if (!first) return alertCount === 1 ? '1 alert' : `${alertCount} alerts`
  const others = alertCount - 1
  return others > 0 ? `${first.resourceName} and ${others} more` : first.resourceName
}

/** Why the message is in its state. */
export function causeText({ state, error, statusCode }: Delivery): string | undefined {
  if (error) return error
  if (state === 'cancelled') return 'All its alerts were resolved or acknowledged before it could be sent.'
  if (state === 'dropped') return 'The queue was full.'
  return statusCode === undefined ? undefined : `Answered ${statusCode}`
}

/** Messages that failed or wait for a retry can be sent now. Tests are repeated from their card. */
export const canRetry = ({ kind, state, nextAttemptAt }: Delivery): boolean =>
  kind !== 'test' && (state === 'failed' || (state === 'waiting' && nextAttemptAt !== undefined))
