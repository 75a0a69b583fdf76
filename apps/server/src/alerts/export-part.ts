import { type AlertConfig, AlertConfigInput } from '@pulse/contract'
import type { Tables } from '@pulse/domain'
import { isDeepStrictEqual } from 'node:util'
import type { SettingsDocument } from '../settings-document.ts'
import { count, listed, nothing, part } from '../export-part.ts'
import { unmatchedOverrides } from './canonical-overrides.ts'
import { mergeAlertConfig } from './merge.ts'
import { legacyAlerts } from './legacy.ts'
import { firstConfig } from './settings.ts'

/** Exports the alert settings. An import replaces them as a whole; alerts and their history stay. */
export const alertsPart = (
  document: Pick<SettingsDocument<AlertConfig>, 'stored' | 'writing'>,
  now: () => number,
  tables: Tables,
) =>
  part({
    key: 'alerts',
    schema: AlertConfigInput,
    older: legacyAlerts,
    read: async () => (await document.stored()).value,
    async plan(input) {
      if (Object.keys(input).length === 0) return nothing
      const { activationTime, ...config } = mergeAlertConfig(firstConfig(), input)
      const since = activationTime ?? new Date(now()).toISOString()
      const stored = config.activationState === 'active' ? { ...config, activationTime: since } : config
      const overrides = count(Object.keys(config.overrides).length, 'override')
      const isOn = (config: Pick<AlertConfig, 'enabled' | 'activationState'>) =>
        config.enabled && config.activationState === 'active'
      const { value: here } = await document.stored()
      if (isDeepStrictEqual(stored, here)) return nothing
      return {
        changes: { switchesAlertsOff: isOn(here) && !isOn(config) },
        summary: overrides === '' ? 'alert settings' : `alert settings with ${overrides}`,
        notes: unmatchedNotes(config.overrides, tables),
        queries: [document.writing(stored)],
      }
    },
  })

/**
 * Before a source has answered, none of its overrides match. The thresholds page lists overrides that never
 * match.
 */
function unmatchedNotes(overrides: AlertConfig['overrides'], tables: Tables): string[] {
  const names = unmatchedOverrides(overrides, tables)
  if (names.length === 0) return []
  if (tables.nodes.size + tables.pbs.size + tables.pmg.size + tables.dockerHosts.size === 0)
    return [
      'Overrides apply when their resources appear. Alerts, Thresholds lists those that match no resource.',
    ]
  return [`Overrides that match no resource: ${listed(names)}. Alerts, Thresholds lists them.`]
}
