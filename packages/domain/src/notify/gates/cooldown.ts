import { isCritical, type Gate } from '../dispatch.ts'

const minuteMs = 60_000

/** The time between two messages about an alert that lasts. It begins when the first has arrived. */
export const cooldown: Gate = {
  name: 'cooldown',
  decide({ kind, episode: { alert }, told, config, moment }) {
    if (!told || kind === 'resolved' || kind === 'escalated') return undefined
    const isWorse = isCritical(alert) && !isCritical(told)
    if (kind === 'raised' && isWorse) return undefined
    const minutes = config.schedule.cooldown
    if (minutes <= 0) return { verdict: 'drop', reason: 'Already notified; ongoing alerts are not repeated.' }
    const until = told.monotonicAt + minutes * minuteMs
    if (moment.monotonic >= until) return undefined
    return { verdict: 'hold', reason: `Notified less than ${minutes} minutes ago.`, until }
  },
}
