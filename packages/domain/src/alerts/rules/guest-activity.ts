import type { Guest } from '@pulse/contract'

/** Why it has no figures; undefined for one that runs. */
export function idleReason({ status }: Pick<Guest, 'status'>): string | undefined {
  if (status === 'running' || status === 'unknown') return undefined
  return status === 'stopped' ? 'It does not run.' : `It is ${status}.`
}

/** Its source, or its node, does not tell. */
export const unknownReason = (guest: Pick<Guest, 'status'>): string | undefined =>
  guest.status === 'unknown' ? 'Nobody knows whether it runs.' : undefined

/** A guest that is being worked on is switched off and on by others. */
export const activityOf = ({ lock }: Pick<Guest, 'lock'>): string | undefined =>
  lock ? `It is locked: ${lock}.` : undefined
