import type { AlertOverride, OfflineSeverity } from '@pulse/contract'

/** The alert for something that is switched off or offline: none, or its level. */
export type OfflineState = 'off' | OfflineSeverity
export type OfflineFields = Pick<AlertOverride, 'disableConnectivity' | 'poweredOffSeverity'>

/**
 * The state that applies, from what is set, the nearest first: an override, then the defaults. A level that is set is a wish to
 * be alerted, also where the defaults are off. Switches for a whole kind come before all of them.
 */
export function offlineState(layers: readonly (OfflineFields | undefined)[]): OfflineState {
  const nearest = layers.find((fields) => fields && saysOffline(fields))
  if (nearest?.disableConnectivity) return 'off'
  return layers.find((fields) => fields?.poweredOffSeverity)?.poweredOffSeverity ?? 'warning'
}

export const saysOffline = ({ disableConnectivity, poweredOffSeverity }: OfflineFields): boolean =>
  disableConnectivity !== undefined || poweredOffSeverity !== undefined
