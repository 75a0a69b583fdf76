import { type AlertCategory, alertTypeOf } from '@pulse/contract'
import { type Admission, type Decision, type Gate, isCritical, pass } from '../dispatch.ts'
import { quietUntil } from '../quiet-hours.ts'
import { wallTimeAt } from '../zone-clock.ts'
import { expired } from './expired.ts'
import { flapping } from './flapping.ts'
import { hourlyCap } from './hourly-cap.ts'

const activation: Gate = {
  name: 'activation',
  decide({ config: { enabled, activationState } }) {
    if (!enabled) return { verdict: 'hold', reason: 'Alerts are switched off in the configuration.' }
    if (activationState === 'active') return undefined
    const why = activationState === 'snoozed' ? 'Alerts are snoozed.' : 'Alerts are not activated.'
    return { verdict: 'hold', reason: why }
  },
}

/** A user is working on it. Its resolved message is sent anyway. */
const acknowledged: Gate = {
  name: 'acknowledged',
  decide({ kind, episode: { alert } }) {
    if (kind === 'resolved' || !alert.acknowledged) return undefined
    return { verdict: 'hold', reason: `It was acknowledged by ${alert.ackUser ?? 'a user'}.` }
  },
}

const words: Record<AlertCategory, string> = {
  performance: 'performance',
  storage: 'storage',
  offline: 'being offline',
}

/**
 * Suppresses all warnings, and critical alerts of the selected categories. Resolved messages are always sent.
 */
const quietHours: Gate = {
  name: 'quiet-hours',
  decide({ kind, episode: { alert }, config, moment }) {
    const { quietHours: quiet } = config.schedule
    const { category } = alertTypeOf(alert.type)
    const rests = !isCritical(alert) || quiet.suppress[category]
    if (kind === 'resolved' || !rests) return undefined
    const until = quietUntil(quiet, moment.now)
    if (until === undefined) return undefined
    const what = isCritical(alert)
      ? `critical alerts about ${words[category]} are paused`
      : 'warnings are paused'
    return {
      verdict: 'hold',
      reason: `Quiet hours: ${what} until ${timeOf(quiet.timezone, until)} (${quiet.timezone}).`,
      until: moment.monotonic + until - moment.now,
    }
  },
}

function timeOf(timezone: string, at: number): string {
  const { minuteOfDay } = wallTimeAt(timezone, at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(minuteOfDay / 60))}:${two(minuteOfDay % 60)}`
}

const minuteMs = 60_000

/** The minimum time between two messages about an ongoing alert, from the delivery of the first. */
const cooldown: Gate = {
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

/** The order matters: users see the reason of the first gate that objects. */
export const gates: readonly Gate[] = [
  expired,
  activation,
  acknowledged,
  quietHours,
  flapping,
  cooldown,
  hourlyCap,
]

export function admit(admission: Admission): Decision {
  for (const { name, decide } of gates) {
    const objection = decide(admission)
    if (objection) return { ...objection, gate: name }
  }
  return pass
}
