import type { AlertConfig } from '@pulse/contract'

/** Why all alerts are suppressed. */
export function gatesOf({ enabled, activationState }: AlertConfig): string[] {
  if (!enabled) return ['Alerts are switched off in the configuration: nothing is evaluated.']
  if (activationState === 'active') return []
  const why = activationState === 'snoozed' ? 'Alerts are snoozed' : 'Alerts are not activated'
  return [`${why}: alerts are evaluated, but neither shown nor sent.`]
}
