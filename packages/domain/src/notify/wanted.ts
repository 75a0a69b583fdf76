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
import { dayMs, isLate } from './gates/late.ts'
import { hasFigure } from './text.ts'

/** What gave way to others lasts: it is counted in another alert, and only an incident must not stay open. */
const isEndSent = ({ endReason }: Alert, { hasIncidents }: ChannelInfo): boolean =>
  endReason !== 'displaced' || hasIncidents === true

/** A figure can get worse while its alert lasts. An object that is broken or away stays so: one message is enough. */
const isRepeated = (alert: Alert): boolean =>
  hasFigure(alert) && (alert.type === 'usage' || alertTypeOf(alert.type).category === 'performance')

/** What is to be told of it next, if the gates let it; and when that may be something else (monotonic). */
export function wantedOf(
  episode: Episode,
  told: NotificationLogEntry | undefined,
  channel: ChannelInfo,
  { config: { schedule }, moment }: Settings,
): { wanted?: Wanted; wakeAt?: number } {
  const { alert, beganAt, ended } = episode
  const isToldOf = told?.isDelivered === true
  if (ended)
    return isToldOf && schedule.notifyOnResolve && isEndSent(alert, channel)
      ? {
          wanted: { kind: 'resolved', escalatedAfter: 0 },
          ...(!isLate(ended, moment) && { wakeAt: ended.monotonic + dayMs }),
        }
      : {}
  const escalatedAfter = told?.escalatedAfter ?? 0
  const lastedMs = moment.monotonic - beganAt
  const { due, inMs } = escalationOf(schedule.escalation, channel, { lastedMs, escalatedAfter })
  const wake = inMs === undefined ? {} : { wakeAt: moment.monotonic + inMs }
  const want = (kind: SentKind) => ({ wanted: { kind, escalatedAfter: due ?? escalatedAfter }, ...wake })
  if (told && due !== undefined) return want('escalated')
  if (!isToldOf || (isCritical(alert) && !isCritical(told))) return want('raised')
  return isRepeated(alert) && isReminded(episode) && schedule.cooldown > 0 ? want('repeated') : wake
}
