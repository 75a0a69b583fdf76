import { type AlertSchedule, scheduleFallbacks } from '@pulse/contract'

/** As it is sent: without a limit per hour there is one that hardly limits. */
export const toSavedSchedule = (schedule: AlertSchedule): AlertSchedule => ({
  ...schedule,
  maxAlertsHour: schedule.maxAlertsHour || scheduleFallbacks.maxAlertsHour,
  groupingWindow: schedule.grouping.enabled ? schedule.grouping.window : scheduleFallbacks.groupingWindow,
})
