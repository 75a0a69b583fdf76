import type { Guest } from '@pulse/contract'

/** Why a guest has no figures; undefined when it runs. */
export function idleReason({ status }: Pick<Guest, 'status'>): string | undefined {
  if (status === 'running' || status === 'unknown') return undefined
  return status === 'stopped' ? 'It does not run.' : `It is ${status}.`
}

/** Its source or node does not report its status. */
export const unknownReason = (guest: Pick<Guest, 'status'>): string | undefined =>
  guest.status === 'unknown' ? 'It is unknown whether it runs.' : undefined

/** A locked guest is stopped and started by the task that holds the lock. */
export const activityOf = ({ lock }: Pick<Guest, 'lock'>): string | undefined =>
  lock ? `It is locked: ${lock}.` : undefined
