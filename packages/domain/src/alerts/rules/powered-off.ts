import type { Guest } from '@pulse/contract'
import type { Verdict } from '../condition.ts'
import type { Judging, Rule } from '../judging.ts'
import { boundedDoubt } from './doubt.ts'
import { activityOf } from './guest-activity.ts'

/** A node that has just started starts its guests one after another. */
const startingMs = 5 * 60_000

/** consecutive checks */
export const poweredOffConfirmations = 2

/** A guest that is stopped and not locked by a task. */
export const poweredOff: Rule<Guest> = {
  name: 'guest-powered-off',
  judge(guest, on) {
    if (guest.status !== 'stopped' && !on.isWatched) return
    const { offline } = on.policy
    on.emit({
      id: `guest-powered-off-${on.record}`,
      type: 'powered-off',
      ...verdictOf(guest, on),
      origin: offline.origin,
      level: offline.level,
      confirmations: poweredOffConfirmations,
      message: `${on.resource.type} ${guest.name} is powered off`,
    })
  },
}

function verdictOf(guest: Guest, on: Judging): { verdict: Verdict; reason?: string } {
  const { off } = on.policy.offline
  if (off !== undefined) return { verdict: 'off', reason: off }
  if (guest.template) return { verdict: 'off', reason: 'It is a template.' }
  // A dead process may have left the lock behind, so the lock holds the alert for a limited time only.
  const isLasting = guest.lock === 'suspended' || guest.status !== 'stopped'
  const bounded = boundedDoubt(on, 'locked since', isLasting ? undefined : activityOf(guest))
  const activity = isLasting ? activityOf(guest) : bounded
  if (activity !== undefined) return { verdict: 'held', reason: activity }
  if (guest.status === 'unknown') return { verdict: 'held', reason: 'It is unknown whether it runs.' }
  if (guest.status !== 'stopped') return { verdict: 'fine' }
  const node = on.tables.nodes.get(`${guest.source}:${guest.node}`)
  const upMs = node?.startedAt === undefined ? Infinity : on.wallNow - node.startedAt
  if (upMs < 0 || upMs >= startingMs || on.isOpen(`guest-powered-off-${on.record}`)) return { verdict: 'bad' }
  on.recheckIn(startingMs - upMs)
  return { verdict: 'held', reason: 'Its node has just started, and its guests start one after the other.' }
}
