import type { Gate } from '../dispatch.ts'

/** A user works on it already. Its resolved message is sent all the same. */
export const acknowledged: Gate = {
  name: 'acknowledged',
  decide({ kind, episode: { alert } }) {
    if (kind === 'resolved' || !alert.acknowledged) return undefined
    return { verdict: 'hold', reason: `It was acknowledged by ${alert.ackUser ?? 'a user'}.` }
  },
}
