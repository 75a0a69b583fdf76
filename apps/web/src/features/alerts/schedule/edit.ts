import {
  type AlertSchedule,
  newEscalationLevel,
  scheduleBounds,
  scheduleDefaults,
  scheduleFallbacks,
  type Weekday,
  weekdays,
} from '@pulse/contract'

export type EscalationLevel = AlertSchedule['escalation']['levels'][number]

/** Resets the four blocks to factory defaults; keeps the time zone and the resolved setting. */
export const asDefault = (schedule: AlertSchedule): AlertSchedule => ({
  ...schedule,
  ...scheduleDefaults,
  notifyOnResolve: schedule.notifyOnResolve,
  quietHours: { ...scheduleDefaults.quietHours, timezone: schedule.quietHours.timezone },
})

export const isCooldownOn = ({ cooldown }: AlertSchedule): boolean => cooldown > 0

/** Switching the cooldown on uses the factory default: its minutes are lost when it is off. */
export const withCooldown = (schedule: AlertSchedule, on: boolean): AlertSchedule => ({
  ...schedule,
  cooldown: on ? scheduleDefaults.cooldown : 0,
  maxAlertsHour: schedule.maxAlertsHour || scheduleDefaults.maxAlertsHour,
})

export const withGroupingMinutes = (schedule: AlertSchedule, minutes: number): AlertSchedule =>
  withGrouping(schedule, { window: minutes * 60 })

export function withGrouping(
  schedule: AlertSchedule,
  change: Partial<AlertSchedule['grouping']>,
): AlertSchedule {
  const grouping = { ...schedule.grouping, ...change }
  // a window below one minute is the stored value of disabled grouping
  const window = grouping.enabled && grouping.window < 60 ? scheduleDefaults.grouping.window : grouping.window
  return {
    ...schedule,
    grouping: { ...grouping, window },
    groupingWindow: grouping.enabled ? window : scheduleFallbacks.groupingWindow,
  }
}

export const groupingMinutes = ({ grouping }: AlertSchedule): number => {
  const { min, max } = scheduleBounds.groupingMinutes
  return Math.min(max, Math.max(min, Math.round(grouping.window / 60)))
}

const withLevels = (schedule: AlertSchedule, levels: EscalationLevel[]): AlertSchedule => ({
  ...schedule,
  escalation: { ...schedule.escalation, levels },
})

export function withLevelAdded(schedule: AlertSchedule): AlertSchedule {
  const { levels } = schedule.escalation
  const last = levels.at(-1)
  const { first, step, max } = newEscalationLevel
  const after = last ? Math.min(max, last.after + step) : first
  return withLevels(schedule, [...levels, { after, notify: 'all' }])
}

export const withLevel = (
  schedule: AlertSchedule,
  at: number,
  change: Partial<EscalationLevel>,
): AlertSchedule =>
  withLevels(
    schedule,
    schedule.escalation.levels.map((level, index) => (index === at ? { ...level, ...change } : level)),
  )

export const withoutLevel = (schedule: AlertSchedule, at: number): AlertSchedule =>
  withLevels(
    schedule,
    schedule.escalation.levels.filter((_, index) => index !== at),
  )

const workdays = weekdays.slice(0, 5)

/** Hint for the usual day patterns. */
export function daysHint(days: Readonly<Record<Weekday, boolean>>): string | undefined {
  const on = weekdays.filter((day) => days[day])
  if (on.length === weekdays.length) return 'Every day'
  if (on.length === 0) return 'No day selected: quiet hours never start'
  if (on.length === 5 && workdays.every((day) => days[day])) return 'Weekdays only'
  return on.length === 2 && days.saturday && days.sunday ? 'Weekends only' : undefined
}

/** The settings in force, one sentence each. The locale defaults to the browser's; tests pass one. */
export function summarize(schedule: AlertSchedule, locale?: string): readonly string[] {
  const { quietHours, cooldown, maxAlertsHour, grouping, escalation } = schedule
  const by = [grouping.byNode && 'node', grouping.byGuest && 'guest'].filter(Boolean).join(' and ')
  const count = escalation.levels.length
  const clockOf = (time: string) => formatTimeOfDay(time, locale)
  return [
    quietHours.enabled &&
      `Quiet hours ${clockOf(quietHours.start)} to ${clockOf(quietHours.end)} (${quietHours.timezone})`,
    cooldown > 0 &&
      `${cooldown} min cooldown, at most ${maxAlertsHour || scheduleFallbacks.maxAlertsHour} per hour`,
    grouping.enabled && `Grouped over ${groupingMinutes(schedule)} min${by && ` by ${by}`}`,
    escalation.enabled && count > 0 && `${count} escalation ${count === 1 ? 'level' : 'levels'}`,
  ].filter((text) => text !== false)
}

/** `22:00` in the locale's format, like time inputs: with a 12-hour clock where it uses one. */
function formatTimeOfDay(time: string, locale?: string): string {
  const [hours, minutes] = time.split(':').map(Number)
  if (hours === undefined || minutes === undefined) return time
  const format = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' })
  return format.format(Date.UTC(2000, 0, 1, hours, minutes))
}
