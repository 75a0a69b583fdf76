import { type AlertConfig, AlertConfigInput } from '@pulse/contract'
import { isDeepStrictEqual } from 'node:util'
import type { SettingsTable } from '../db/settings.ts'
import { count, nothing, part } from '../export-part.ts'
import { mergeAlertConfig } from './merge.ts'
import { olderAlerts } from './older.ts'
import { alertSettingsKey, firstConfig } from './settings.ts'

/** The configuration of alerts, replaced as a whole. What is an alert now stays, and so does its history. */
export const alertsPart = (store: SettingsTable, now: () => number) =>
  part({
    key: 'alerts',
    schema: AlertConfigInput,
    older: olderAlerts,
    async read() {
      const text = await store.read(alertSettingsKey)
      return text === undefined ? firstConfig() : (JSON.parse(text) as AlertConfigInput)
    },
    async plan(input) {
      if (Object.keys(input).length === 0) return nothing
      const { activationTime, ...config } = mergeAlertConfig(firstConfig(), input)
      const since = activationTime ?? new Date(now()).toISOString()
      const stored = config.activationState === 'active' ? { ...config, activationTime: since } : config
      const overrides = count(Object.keys(config.overrides).length, 'override')
      const isOn = (config: Pick<AlertConfig, 'enabled' | 'activationState'>) =>
        config.enabled && config.activationState === 'active'
      const before = await store.read(alertSettingsKey)
      const here = before === undefined ? firstConfig() : mergeAlertConfig(firstConfig(), JSON.parse(before))
      if (isDeepStrictEqual(stored, here)) return nothing
      return {
        changes: { switchesAlertsOff: isOn(here) && !isOn(config) },
        summary: overrides === '' ? 'alert settings' : `alert settings with ${overrides}`,
        notes: [],
        queries: [store.writing(alertSettingsKey, JSON.stringify(stored))],
      }
    },
  })
