import type { Gate } from '../dispatch.ts'

export const hourMs = 3_600_000

/**
 * Counts every message about an alert to one channel. If the cap allows more than one, the last message of an
 * hour is reserved for the resolved message. Escalations are counted separately.
 */
export const hourlyCap: Gate = {
  name: 'hourly-cap',
  decide({ kind, sent, config, moment }) {
    const { maxAlertsHour, notifyOnResolve } = config.schedule
    if (maxAlertsHour <= 0) return undefined
    const isKept = kind !== 'resolved' && kind !== 'escalated' && notifyOnResolve && maxAlertsHour > 1
    const room = maxAlertsHour - (isKept ? 1 : 0)
    const within = sent.filter((at) => at > moment.monotonic - hourMs)
    if (within.length < room) return undefined
    return {
      verdict: 'hold',
      reason: `${within.length} messages about it went out within the hour, of ${maxAlertsHour} at most.`,
      until: within[within.length - room]! + hourMs,
    }
  },
}
