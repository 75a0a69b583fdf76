import type { AlertConfig } from '@pulse/contract'
import type { Tables } from '@pulse/domain'
import { count, listed } from '../export-part.ts'
import type { SettingsExport } from '../settings-export.ts'
import { unmatchedOverrides } from './canonical-overrides.ts'

const isOn = ({ enabled, activationState }: AlertConfig) => enabled && activationState === 'active'

/** An import replaces the alert settings as a whole; alerts and their history stay. */
export const planAlerts =
  (tables: Tables): SettingsExport<AlertConfig>['plan'] =>
  (next, { value: here, isSame }) => {
    if (isSame) return {}
    const overrides = count(Object.keys(next.overrides).length, 'override')
    return {
      settings: next,
      summary: overrides === '' ? 'alert settings' : `alert settings with ${overrides}`,
      notes: unmatchedNotes(next.overrides, tables),
      changes: { switchesAlertsOff: isOn(here) && !isOn(next) },
    }
  }

/** Before a source's first answer, none of its overrides match. The thresholds page lists overrides that never match. */
function unmatchedNotes(overrides: AlertConfig['overrides'], tables: Tables): string[] {
  const names = unmatchedOverrides(overrides, tables)
  if (names.length === 0) return []
  if (tables.nodes.size + tables.pbs.size + tables.pmg.size + tables.dockerHosts.size === 0)
    return [
      'Overrides apply when their resources appear. Alerts, Thresholds lists those that match no resource.',
    ]
  return [`Overrides that match no resource: ${listed(names)}. Alerts, Thresholds lists them.`]
}
