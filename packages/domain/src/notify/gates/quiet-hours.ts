import { type AlertCategory, alertTypeOf } from '@pulse/contract'
import { type Gate, isCritical } from '../dispatch.ts'
import { quietUntil } from '../quiet-hours.ts'
import { wallTimeAt } from '../zone-clock.ts'

const words: Record<AlertCategory, string> = {
  performance: 'performance',
  storage: 'storage',
  offline: 'being offline',
}

/** Suppresses all warnings, and critical alerts of the selected categories. Resolved messages are always sent. */
export const quietHours: Gate = {
  name: 'quiet-hours',
  decide({ kind, episode: { alert }, config, moment }) {
    const { quietHours: quiet } = config.schedule
    const { category } = alertTypeOf(alert.type)
    const rests = !isCritical(alert) || quiet.suppress[category]
    if (kind === 'resolved' || !rests) return undefined
    const until = quietUntil(quiet, moment.now)
    if (until === undefined) return undefined
    const what = isCritical(alert) ? `critical alerts about ${words[category]} are paused` : 'warnings rest'
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
