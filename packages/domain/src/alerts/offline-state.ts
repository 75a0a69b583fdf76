import type { AlertOverride, OfflineSeverity } from '@pulse/contract'

/** Whether a resource that is powered off or offline has an alert, and its level. */
export type OfflineState = 'off' | OfflineSeverity
export type OfflineFields = Pick<AlertOverride, 'disableConnectivity' | 'poweredOffSeverity'>

/**
 * The effective state. `layers`: the settings, most specific first (an override, then the defaults). A level
 * in an override alerts even where the defaults are off. Switches for a whole kind take precedence over all
 * layers.
 */
export function offlineState(layers: readonly (OfflineFields | undefined)[]): OfflineState {
  const nearest = layers.find((fields) => fields && saysOffline(fields))
  if (nearest?.disableConnectivity) return 'off'
  return layers.find((fields) => fields?.poweredOffSeverity)?.poweredOffSeverity ?? 'warning'
}

export const saysOffline = ({ disableConnectivity, poweredOffSeverity }: OfflineFields): boolean =>
  disableConnectivity !== undefined || poweredOffSeverity !== undefined
