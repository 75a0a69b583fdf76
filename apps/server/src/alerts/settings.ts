import { type ActivationState, type AlertConfig, AlertConfigInput, alertDefaults } from '@pulse/contract'
import type { Clock, Tables } from '@pulse/domain'
import type { Logger } from 'pino'
import type { SettingsStore } from '../db/settings.ts'
import type { LiveArea } from '../export-part.ts'
import { createMutex } from '../timing/concurrency.ts'
import { createSignal, type OnSignal } from '../signal.ts'
import { StartupError } from '../startup-error.ts'
import { canonicalOverrides, documentedOverrides } from './canonical-overrides.ts'
import { mergeAlertConfig } from './merge.ts'

/** What is to be an alert, and whether anybody is to know of it. */
export interface AlertSettings extends LiveArea {
  current(): AlertConfig
  /** The same with each override under the stable key of its resource, or under the id of `/api/state`. */
  shown(keys: 'stable' | 'documented'): AlertConfig
  /** Stored before it counts. */
  change(input: AlertConfigInput): Promise<AlertConfig>
  /** As it was when it already is. */
  setActivation(state: ActivationState): Promise<AlertConfig>
  onChange: OnSignal<[now: AlertConfig]>
  start(): Promise<void>
}

export interface AlertSettingsEdges {
  store: Pick<SettingsStore, 'read' | 'write'>
  tables: Tables
  clock: Clock
  log: Logger
  onWrite: () => void
}

export const alertSettingsKey = 'alerts'

export function createAlertSettings({
  store,
  tables,
  clock,
  log,
  onWrite,
}: AlertSettingsEdges): AlertSettings {
  const changed = createSignal<[now: AlertConfig]>()
  const inTurn = createMutex()
  let current = firstConfig()

  function use(next: AlertConfig) {
    current = next
    changed.tell(next)
  }

  /** Since when it is active is nobody's to say but ours. */
  function dated(next: AlertConfig): AlertConfig {
    const { activationTime: _given, ...rest } = next
    const becomesActive = next.activationState === 'active' && current.activationState !== 'active'
    const since = becomesActive ? new Date(clock.now()).toISOString() : current.activationTime
    return since === undefined ? rest : { ...rest, activationTime: since }
  }

  async function save(input: AlertConfigInput): Promise<AlertConfig> {
    const next = dated(mergeAlertConfig(current, input))
    next.overrides = canonicalOverrides(next.overrides, tables, current.overrides)
    await store.write(alertSettingsKey, JSON.stringify(next))
    onWrite()
    log.info(
      { activationState: next.activationState, enabled: next.enabled },
      'the settings of alerts were changed',
    )
    use(next)
    return next
  }

  async function reload() {
    const text = await store.read(alertSettingsKey)
    use(text === undefined ? firstConfig() : fromStored(text))
  }

  return {
    current: () => current,
    shown(keys) {
      const overrides = canonicalOverrides(current.overrides, tables)
      return { ...current, overrides: keys === 'stable' ? overrides : documentedOverrides(overrides, tables) }
    },
    change: (input) => inTurn(() => save(input)),
    setActivation: (activationState) =>
      inTurn(async () => (current.activationState === activationState ? current : save({ activationState }))),
    onChange: changed.on,
    inTurn,
    reload,
    start: () => inTurn(reload),
  }
}

/** As it leaves the factory, in the time zone of this machine. */
export function firstConfig(): AlertConfig {
  const { schedule } = alertDefaults
  const timezone = new Intl.DateTimeFormat().resolvedOptions().timeZone || schedule.quietHours.timezone
  return { ...alertDefaults, schedule: { ...schedule, quietHours: { ...schedule.quietHours, timezone } } }
}

/** Of this version or an older one: what it does not say is as it leaves the factory. */
function fromStored(text: string): AlertConfig {
  try {
    const input = AlertConfigInput.parse(JSON.parse(text))
    return mergeAlertConfig({ ...firstConfig(), ...olderSwitches(input) }, input)
  } catch (cause) {
    throw new StartupError(
      'The stored settings of alerts cannot be read.',
      'Restore the data folder from a backup, or start the version of Pulse that wrote them.',
      { cause },
    )
  }
}

/** What had no switch of its own was switched off by that of another table, and stays so. */
function olderSwitches({ disableAllStorage, disableAllGuests }: AlertConfigInput): Partial<AlertConfig> {
  return {
    ...(disableAllStorage && { disableAllDatastores: true, disableAllDisks: true, disableAllCeph: true }),
    ...(disableAllGuests && { disableAllFailedBackups: true }),
  }
}
