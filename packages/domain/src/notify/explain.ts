import type { WaitReason } from '@pulse/contract'
import type { Moment } from '../alerts/condition.ts'
import type { ChannelInfo, Episode, SentKind, Settings, NotificationLogEntry } from './dispatch.ts'
import { escalationOf } from './escalation.ts'
import { isWaitReason, type Pending } from './waits.ts'

/** The state of an episode on one channel, in words. `until`: epoch ms. */
export interface Explanation {
  text: string
  wait?: { reason: WaitReason; until?: number }
  /** the next message if the alert lasts; epoch ms */
  next?: { kind: SentKind; at: number }
}

/** Why a ready message waits. `until`: monotonic. */
export interface Wait {
  gate: WaitReason
  reason: string
  until?: number
}

/** Waits for the end of its window; a flood waits until the hourly cap allows its next message. */
export function waitOf(
  cappedUntil: number | undefined,
  windowEndsAt: number | undefined,
  { monotonic }: Moment,
): Wait {
  if (cappedUntil !== undefined)
    return {
      gate: 'hourly-cap',
      reason: 'Its source fired so many alerts that Pulse limits their messages like those of one alert.',
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

export function explainPending({ gate, kind, reason: text, until }: Pending, moment: Moment): Explanation {
  const at = until === undefined ? undefined : wallOf(until, moment)
  if (isWaitReason(gate)) return { text, wait: { reason: gate, ...(at !== undefined && { until: at }) } }
  return { text, ...(at !== undefined && { next: { kind, at } }) }
}

/** An acknowledged alert is not escalated. */
export function nextEscalation(
  episode: Episode,
  logged: NotificationLogEntry | undefined,
  channel: ChannelInfo,
  { config, moment }: Settings,
): Explanation | undefined {
  if (!logged || episode.ended || episode.alert.acknowledged) return undefined
  const lastedMs = moment.monotonic - episode.beganAt
  const { escalatedAfter } = logged
  const { inMs } = escalationOf(config.schedule.escalation, channel, { lastedMs, escalatedAfter })
  if (inMs === undefined) return undefined
  const at = Math.round(moment.now + inMs)
  return { text: 'It is escalated unless it is acknowledged.', next: { kind: 'escalated', at } }
}

const wallOf = (at: number, { now, monotonic }: Moment): number => Math.round(now + at - monotonic)
