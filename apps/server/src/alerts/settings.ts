import { type ActivationState, type AlertConfig, AlertConfigInput, alertDefaults } from '@pulse/contract'
import type { Clock, Tables } from '@pulse/domain'
import {
  createSettingsDocument,
  type SettingsDefinition,
  type SettingsDocument,
  type SettingsEdges,
} from '../settings-document.ts'
import { canonicalOverrides, documentedOverrides } from './canonical-overrides.ts'
import { legacyAlerts } from './legacy.ts'
import { mergeAlertConfig } from './merge.ts'
import { planAlerts } from './plan-import.ts'

/** The alert settings: which conditions fire, and whether notifications are sent. */
export interface AlertSettings extends Omit<SettingsDocument<AlertConfig>, 'change' | 'shown'> {
  /** The same with each override under the stable key of its resource, or under the id of `/api/state`. */
  shown(keys: 'stable' | 'documented'): AlertConfig
  /** Stored before it takes effect. */
  change(input: AlertConfigInput): Promise<AlertConfig>
  /** Changes nothing when alerts are already active. */
  setActivation(state: ActivationState): Promise<AlertConfig>
}

export interface AlertSettingsEdges extends SettingsEdges {
  tables: Tables
  clock: Clock
}

export const alertDocument = (
  clock: Pick<Clock, 'now'>,
  tables: Tables,
): SettingsDefinition<AlertConfig> => ({
  key: 'alerts',
  name: 'alert settings',
  defaults: firstConfig,
  /** Accepts settings of this version and of older ones. */
  parse(stored) {
    const input = AlertConfigInput.parse(stored)
    return mergeAlertConfig({ ...firstConfig(), ...legacySwitches(input) }, input)
  },
  setAside: 'each',
  exported: {
    key: 'alerts',
    schema: AlertConfigInput,
    older: legacyAlerts,
    ignoresEmpty: true,
    read(input: AlertConfigInput) {
      const { activationTime, ...config } = mergeAlertConfig(firstConfig(), input)
      if (config.activationState !== 'active') return config
      return { ...config, activationTime: activationTime ?? new Date(clock.now()).toISOString() }
    },
    plan: planAlerts(tables),
  },
})

export function createAlertSettings({ tables, clock, ...edges }: AlertSettingsEdges): AlertSettings {
  const document = createSettingsDocument(alertDocument(clock, tables), edges)
  const { current } = document

  /** The server sets the time of activation. */
  function dated(next: AlertConfig, before: AlertConfig): AlertConfig {
    const { activationTime: _given, ...rest } = next
    const becomesActive = next.activationState === 'active' && before.activationState !== 'active'
    const since = becomesActive ? new Date(clock.now()).toISOString() : before.activationTime
    return since === undefined ? rest : { ...rest, activationTime: since }
  }

  function merged(now: AlertConfig, input: AlertConfigInput): AlertConfig {
    const next = dated(mergeAlertConfig(now, input), now)
    return { ...next, overrides: canonicalOverrides(next.overrides, tables, now.overrides) }
  }

  async function change(to: (now: AlertConfig) => AlertConfig): Promise<AlertConfig> {
    const before = current()
    const next = await document.change(to)
    const { activationState, enabled } = next
    if (next !== before) edges.log.info({ activationState, enabled }, 'alert settings changed')
    return next
  }

  return {
    ...document,
    shown(keys) {
      const overrides = canonicalOverrides(current().overrides, tables)
      return {
        ...current(),
        overrides: keys === 'stable' ? overrides : documentedOverrides(overrides, tables),
      }
    },
    change: (input) => change((now) => merged(now, input)),
    setActivation: (activationState) =>
      change((now) => (now.activationState === activationState ? now : merged(now, { activationState }))),
  }
}

/** The factory settings, in the time zone of this machine. */
export function firstConfig(): AlertConfig {
  const { schedule } = alertDefaults
  const timezone = new Intl.DateTimeFormat().resolvedOptions().timeZone || schedule.quietHours.timezone
  return { ...alertDefaults, schedule: { ...schedule, quietHours: { ...schedule.quietHours, timezone } } }
}

/** Kinds that had no switch in older versions use the switch of their former table. */
function legacySwitches({ disableAllStorage, disableAllGuests }: AlertConfigInput): Partial<AlertConfig> {
  return {
    ...(disableAllStorage && { disableAllDatastores: true, disableAllDisks: true, disableAllCeph: true }),
    ...(disableAllGuests && { disableAllFailedBackups: true }),
  }
}
