import { type ActivationState, type AlertConfig, AlertConfigInput, alertDefaults } from '@pulse/contract'
import type { Clock, Tables } from '@pulse/domain'
import {
  createSettingsDocument,
  type SettingsDefinition,
  type SettingsDocument,
  type SettingsEdges,
} from '../settings-document.ts'
import { canonicalOverrides, documentedOverrides } from './canonical-overrides.ts'
import { mergeAlertConfig } from './merge.ts'

/** What is to be an alert, and whether anybody is to know of it. */
export interface AlertSettings extends Omit<SettingsDocument<AlertConfig>, 'change' | 'shown'> {
  /** The same with each override under the stable key of its resource, or under the id of `/api/state`. */
  shown(keys: 'stable' | 'documented'): AlertConfig
  /** Stored before it counts. */
  change(input: AlertConfigInput): Promise<AlertConfig>
  /** As it was when it already is. */
  setActivation(state: ActivationState): Promise<AlertConfig>
}

export interface AlertSettingsEdges extends SettingsEdges {
  tables: Tables
  clock: Clock
}

export const alertDocument: SettingsDefinition<AlertConfig> = {
  key: 'alerts',
  name: 'alert settings',
  defaults: firstConfig,
  /** Of this version or an older one. */
  parse(stored) {
    const input = AlertConfigInput.parse(stored)
    return mergeAlertConfig({ ...firstConfig(), ...olderSwitches(input) }, input)
  },
  setAside: 'each',
}

export function createAlertSettings({ tables, clock, ...edges }: AlertSettingsEdges): AlertSettings {
  const document = createSettingsDocument(alertDocument, edges)
  const { current } = document

  /** Since when it is active is nobody's to say but ours. */
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

/** As it leaves the factory, in the time zone of this machine. */
export function firstConfig(): AlertConfig {
  const { schedule } = alertDefaults
  const timezone = new Intl.DateTimeFormat().resolvedOptions().timeZone || schedule.quietHours.timezone
  return { ...alertDefaults, schedule: { ...schedule, quietHours: { ...schedule.quietHours, timezone } } }
}

/** What had no switch of its own was switched off by that of another table, and stays so. */
function olderSwitches({ disableAllStorage, disableAllGuests }: AlertConfigInput): Partial<AlertConfig> {
  return {
    ...(disableAllStorage && { disableAllDatastores: true, disableAllDisks: true, disableAllCeph: true }),
    ...(disableAllGuests && { disableAllFailedBackups: true }),
  }
}
