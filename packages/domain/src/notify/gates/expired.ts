import type { Gate } from '../dispatch.ts'

export const dayMs = 86_400_000

export const isExpired = (ended: { monotonic: number }, moment: { monotonic: number }): boolean =>
  moment.monotonic - ended.monotonic >= dayMs

/** A resolved message that could not be sent for a day is no longer news. */
export const expired: Gate = {
  name: 'expired',
  decide({ kind, episode: { ended }, moment }) {
    if (kind !== 'resolved' || !ended || !isExpired(ended, moment)) return undefined
    return { verdict: 'drop', reason: 'It resolved more than a day ago.' }
  },
}
