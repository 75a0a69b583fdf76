import { type Alert, alertTypeOf } from '@pulse/contract'
import {
  type ChannelInfo,
  type Episode,
  isCritical,
  type SentKind,
  type Settings,
  type NotificationLogEntry,
  type Wanted,
} from './dispatch.ts'
import { isReminded } from './episodes.ts'
import { escalationOf } from './escalation.ts'
import { dayMs, isExpired } from './gates/expired.ts'
import { hasFigure } from './text.ts'

/** A displaced alert has not ended, because another alert counts it. Only an incident is closed. */
const isEndSent = ({ endReason }: Alert, { hasIncidents }: ChannelInfo): boolean =>
  endReason !== 'displaced' || hasIncidents === true

/**
 * A figure can get worse while its alert lasts. A broken or unreachable object stays the same, so one message
 * is enough.
 */
const isRepeated = (alert: Alert): boolean =>
  hasFigure(alert) && (alert.type === 'usage' || alertTypeOf(alert.type).category === 'performance')

/** The next message about an episode if the gates pass it, and when to decide again (monotonic). */
export function wantedOf(
  episode: Episode,
  logged: NotificationLogEntry | undefined,
  channel: ChannelInfo,
  { config: { schedule }, moment }: Settings,
): { wanted?: Wanted; wakeAt?: number } {
  const { alert, beganAt, ended } = episode
  const isNotified = logged?.isDelivered === true
  if (ended)
    return isNotified && schedule.notifyOnResolve && isEndSent(alert, channel)
      ? {
          wanted: { kind: 'resolved', escalatedAfter: 0 },
          ...(!isExpired(ended, moment) && { wakeAt: ended.monotonic + dayMs }),
        }
      : {}
  const escalatedAfter = logged?.escalatedAfter ?? 0
  const lastedMs = moment.monotonic - beganAt
  const { due, inMs } = escalationOf(schedule.escalation, channel, { lastedMs, escalatedAfter })
  const wake = inMs === undefined ? {} : { wakeAt: moment.monotonic + inMs }
  const want = (kind: SentKind) => ({ wanted: { kind, escalatedAfter: due ?? escalatedAfter }, ...wake })
  if (logged && due !== undefined) return want('escalated')
  if (!isNotified || (isCritical(alert) && !isCritical(logged))) return want('raised')
  return isRepeated(alert) && isReminded(episode) && schedule.cooldown > 0 ? want('repeated') : wake
}
