import type { Gate } from '../dispatch.ts'

export const activation: Gate = {
  name: 'activation',
  decide({ config: { enabled, activationState } }) {
    if (!enabled) return { verdict: 'hold', reason: 'Alerts are switched off in the configuration.' }
    if (activationState === 'active') return undefined
    const why = activationState === 'snoozed' ? 'Alerts are snoozed.' : 'Alerts are not activated.'
    return { verdict: 'hold', reason: why }
  },
}
