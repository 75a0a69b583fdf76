import type { WaitReason } from '@pulse/contract'
import type { Moment } from '../alerts/condition.ts'
import type { ChannelInfo, Episode, SentKind, Settings, NotificationLogEntry } from './dispatch.ts'
import { escalationOf } from './escalation.ts'
import { isWaitReason, type Pending } from './waits.ts'

/** How it stands with an episode on one way out, in words. `until`: epoch ms. */
export interface Explanation {
  text: string
  wait?: { reason: WaitReason; until?: number }
  /** the message that comes when it lasts: epoch ms */
  next?: { kind: SentKind; at: number }
}

/** What a message that is ready waits for. `until`: monotonic. */
export interface Wait {
  gate: WaitReason
  reason: string
  until?: number
}

/** Until its window ends; of a flood, until the hourly cap lets its next message go. */
export function waitOf(
  cappedUntil: number | undefined,
  windowEndsAt: number | undefined,
  { monotonic }: Moment,
): Wait {
  if (cappedUntil !== undefined)
    return {
      gate: 'hourly-cap',
      reason:
        'So many alerts came from its source that messages about them are limited like those of one alert.',
      until: cappedUntil,
    }
  const endsAt = windowEndsAt ?? monotonic
  if (endsAt <= monotonic) return { gate: 'queue', reason: 'Queued behind other messages.' }
  return {
    gate: 'grouping',
    reason: 'Grouped: it is sent with others when the window ends.',
    until: endsAt,
  }
}

export function explainWait({ gate, until, reason }: Wait, moment: Moment): Explanation {
  if (until === undefined) return { text: reason, wait: { reason: gate } }
  return { text: reason, wait: { reason: gate, until: wallOf(until, moment) } }
}

export function explainHeld({ gate, kind, reason: text, until }: Pending, moment: Moment): Explanation {
  const at = until === undefined ? undefined : wallOf(until, moment)
  if (isWaitReason(gate)) return { text, wait: { reason: gate, ...(at !== undefined && { until: at }) } }
  return { text, ...(at !== undefined && { next: { kind, at } }) }
}

/** What somebody looks after is not escalated. */
export function nextEscalation(
  episode: Episode,
  told: NotificationLogEntry | undefined,
  channel: ChannelInfo,
  { config, moment }: Settings,
): Explanation | undefined {
  if (!told || episode.ended || episode.alert.acknowledged) return undefined
  const lastedMs = moment.monotonic - episode.beganAt
  const { escalatedAfter } = told
  const { inMs } = escalationOf(config.schedule.escalation, channel, { lastedMs, escalatedAfter })
  if (inMs === undefined) return undefined
  const at = Math.round(moment.now + inMs)
  return { text: 'It is escalated if nobody acknowledges it.', next: { kind: 'escalated', at } }
}

const wallOf = (at: number, { now, monotonic }: Moment): number => Math.round(now + at - monotonic)
