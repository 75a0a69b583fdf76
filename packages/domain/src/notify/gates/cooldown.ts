import { isCritical, type Gate } from '../dispatch.ts'

const minuteMs = 60_000

/** The time between two messages about a lasting alert. It begins with the delivery of the first. */
export const cooldown: Gate = {
  name: 'cooldown',
  decide({ kind, episode: { alert }, logged, config, moment }) {
    if (!logged || kind === 'resolved' || kind === 'escalated') return undefined
    const isWorse = isCritical(alert) && !isCritical(logged)
    if (kind === 'raised' && isWorse) return undefined
    const minutes = config.schedule.cooldown
    if (minutes <= 0) return { verdict: 'drop', reason: 'Already notified; ongoing alerts are not repeated.' }
    const until = logged.monotonicAt + minutes * minuteMs
    if (moment.monotonic >= until) return undefined
    return { verdict: 'hold', reason: `Notified less than ${minutes} minutes ago.`, until }
  },
}
