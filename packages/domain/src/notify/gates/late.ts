import type { Gate } from '../dispatch.ts'

export const dayMs = 86_400_000

export const isLate = (ended: { monotonic: number }, moment: { monotonic: number }): boolean =>
  moment.monotonic - ended.monotonic >= dayMs

/** An all-clear that could not be sent for a day is no news any more. */
export const late: Gate = {
  name: 'late',
  decide({ kind, episode: { ended }, moment }) {
    if (kind !== 'resolved' || !ended || !isLate(ended, moment)) return undefined
    return { verdict: 'drop', reason: 'It has been over for more than a day.' }
  },
}
