import type { AlertConfig, AlertOverride } from '@pulse/contract'
import { isEqual, type OfflineFields, offlineState as stateOf, type OfflineState } from '@pulse/domain'
import type { Metric } from './metrics.ts'
import { stored, triggerOf } from './value.ts'

export type { OfflineState } from '@pulse/domain'

/** The trigger of a resource's own override. */
export const ownTrigger = (override: AlertOverride | undefined, metric: string): number | undefined =>
  triggerOf((override as Record<string, unknown> | undefined)?.[metric])

/** An empty value, or the inherited one, removes the metric's override. */
export function withTrigger(
  override: AlertOverride,
  metric: Pick<Metric, 'key' | 'alone'>,
  trigger: number | undefined,
  inherited: number | undefined,
): AlertOverride {
  const isInherited = trigger === undefined || trigger === inherited
  // keeps a clear value set through the API as long as the trigger is unchanged
  if (!isInherited && trigger === ownTrigger(override, metric.key)) return override
  const { [metric.key]: _before, ...rest } = override as Record<string, unknown>
  return (isInherited ? rest : { ...rest, [metric.key]: stored(metric, trigger) }) as AlertOverride
}

export function withDisabled(override: AlertOverride, disabled: boolean): AlertOverride {
  const { disabled: _before, ...rest } = override
  return disabled ? { ...rest, disabled } : rest
}

/** For resources whose offline alert has no severity. */
export function withOfflineOff(override: AlertOverride, isOff: boolean): AlertOverride {
  const { disableConnectivity: _before, ...rest } = override
  return isOff ? { ...rest, disableConnectivity: true } : rest
}

export const offlineState = (own: OfflineFields | undefined, inherited: OfflineFields = {}): OfflineState =>
  stateOf([own, inherited])

/** The inherited state removes the override. */
export function withOfflineState(
  override: AlertOverride,
  state: OfflineState,
  inherited: OfflineFields,
): AlertOverride {
  const { disableConnectivity: _off, poweredOffSeverity: _severity, ...rest } = override
  if (state === offlineState(undefined, inherited)) return rest
  if (state === 'off') return { ...rest, disableConnectivity: true }
  return {
    ...rest,
    poweredOffSeverity: state,
    ...(inherited.disableConnectivity && { disableConnectivity: false }),
  }
}

const cycle: Record<OfflineState, OfflineState> = { off: 'warning', warning: 'critical', critical: 'off' }
export const nextOfflineState = (state: OfflineState): OfflineState => cycle[state]

export const overrideAt = (
  { overrides }: Pick<AlertConfig, 'overrides'>,
  key: string,
): AlertOverride | undefined => (Object.hasOwn(overrides, key) ? overrides[key] : undefined)

/** Empty overrides are deleted. */
export function editOverride(
  config: AlertConfig,
  key: string,
  edit: (override: AlertOverride) => AlertOverride,
): AlertConfig {
  const before = overrideAt(config, key)
  const after = edit(before ?? {})
  if (isEqual(before ?? {}, after)) return config
  const { [key]: _replaced, ...others } = config.overrides
  return { ...config, overrides: saysNothing(after) ? others : { ...others, [key]: after } }
}

export const removeOverride = (config: AlertConfig, key: string): AlertConfig =>
  editOverride(config, key, () => ({}))

const saysNothing = (override: AlertOverride): boolean =>
  Object.values(override).every((value) => value === undefined)
