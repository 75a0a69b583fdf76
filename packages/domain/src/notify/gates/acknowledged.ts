import type { Gate } from '../dispatch.ts'

/** Somebody takes care of it already. That it is over is told all the same. */
export const acknowledged: Gate = {
  name: 'acknowledged',
  decide({ kind, episode: { alert } }) {
    if (kind === 'resolved' || !alert.acknowledged) return undefined
    return { verdict: 'hold', reason: `It was acknowledged by ${alert.ackUser ?? 'somebody'}.` }
  },
}
