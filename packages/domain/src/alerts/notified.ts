import type { Alert, AlertSchedule } from '@pulse/contract'
import { toIso } from './alert-record.ts'

const minuteMs = 60_000
/** Messages within this time count as one. */
const sameMs = minuteMs

/** An alert in a message that a channel delivered. */
export interface SentNotice {
  alertId: string
  episode: string
  /** epoch ms */
  at: number
  /** minutes of the highest level of escalation that it covers; 0 for none */
  escalatedAfter: number
}

type Timing = Pick<AlertSchedule, 'cooldown' | 'escalation'>

/**
 * The alert with the notices sent about it; the same object if it already has them. Several channels send the
 * same reminder and level. Only the first one is a change for pages; the others update the time.
 */
export function withNotice(
  alert: Alert,
  { at, escalatedAfter }: SentNotice,
  { cooldown, escalation }: Timing,
  now: number,
): { alert: Alert; what: 'reminded' | 'escalated' | 'refreshed' } {
  const before = alert.lastNotified === undefined ? undefined : Date.parse(alert.lastNotified)
  const times = alert.escalationTimes ?? []
  const level =
    escalatedAfter > 0 ? escalation.levels.filter(({ after }) => after <= escalatedAfter).length : 0
  const escalated =
    level > (alert.lastEscalation ?? 0)
      ? {
          lastEscalation: level,
          escalationTimes: [...times, ...Array<string>(Math.max(0, level - times.length)).fill(toIso(at))],
        }
      : undefined
  // Messages of all channels within that time are one change for pages. A time in the future comes from a
  // clock that was set back.
  const isNewer =
    before === undefined || before - now >= sameMs || at - before >= sameMs || (escalated && at > before)
  if (!isNewer && !escalated) return { alert, what: 'refreshed' }
  // channels send at different times: messages within half a cooldown are the same reminder
  const isReminder = before !== undefined && cooldown > 0 && at - before >= (cooldown * minuteMs) / 2
  return {
    alert: { ...alert, ...(isNewer && { lastNotified: toIso(at) }), ...escalated },
    what: escalated ? 'escalated' : isReminder ? 'reminded' : 'refreshed',
  }
}

/** An alert that continues keeps its notices. */
export const noticesOf = ({ lastNotified, lastEscalation, escalationTimes }: Alert): Partial<Alert> => ({
  ...(lastNotified !== undefined && { lastNotified }),
  ...(lastEscalation !== undefined && { lastEscalation }),
  ...(escalationTimes !== undefined && { escalationTimes }),
})
