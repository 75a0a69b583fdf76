import type { Clock } from '@pulse/domain'
import type { Begun } from '../../db/fence.ts'
import type { Leading } from '../../db/postgres.ts'
import { createTicker } from '../../timing/ticker.ts'
import { watchDatabase } from './database-watch.ts'
import type { Lease } from '../leases/held-lease.ts'
import type { Leases } from '../leases/leases.ts'

const claimMs = 500
/** A lease that is not renewed is taken from its holder after `stealMs`; the holder trusts it for a shorter time. */
export const leaderTimes = { renewMs: 1_000, trustedMs: 4_000, stealMs: 6_000 }
/** A write that the database has accepted proves the lead for this time. */
const provedMs = 2_000
/** A process that the database answers at least this often may take the lead from another one. */
const answeredMs = 8_000
/** A process that leads without the database for this time returns the lease if another one could lead. */
const leadsWithoutMs = 15_000
/** A lease that was renewed for this time is certainly of the process that has it. */
const provenMs = 10_000
const restored =
  'The leases of NATS are older than the database: its data comes from an older copy. This process leads all the same.'
/** The others have this time to take a lease that was returned. */
const takeMs = 8_000

interface Claimed {
  lease?: Lease
  isLost: boolean
}

/** A lease that the database refuses. */
interface Refused {
  own: Required<Claimed>
  newer: string
  /** monotonic */
  since: number
}

export interface LeadershipEdges {
  leases: Pick<Leases, 'claim'>
  database: Omit<Leading, 'write'>
  clock: Pick<Clock, 'after' | 'monotonic'>
  /** Whether there is another process that may lead, and that the database answers. Rejects without a line to the others. */
  canOtherLead: () => Promise<boolean>
  /** Called once: this process leads, with a later fence than those before. What rejects ends the lead. */
  onLead: (fence: string) => Promise<void>
  /** Called once: another process leads, or this one failed to. It must not do anything for all any more. */
  onDeposed: (why: string) => void
  onFault: (error: unknown) => void
}

export interface Leadership {
  /** Whether this process has begun to lead, and no other one has since, as far as it can say. */
  readonly isLeading: boolean
  /**
   * Whether it may do what cannot be undone, such as sending a message: its lease holds, or the database has just
   * accepted a write of it.
   */
  mayAct(): boolean
  /** Whether no other process can have begun to lead: its lease holds. */
  readonly holdsLease: boolean
  /** Whether NATS or the database has just confirmed it. While neither does, another process may lead. */
  readonly isConfirmed: boolean
  /** Whether the database answers this process. */
  readonly hasDatabase: boolean
  /** The database has refused a write: another process leads. */
  refused(): void
  /** Does not begin to lead any more. What it leads ends with `stop`. */
  close(): void
  /** Another process takes the lead at once. */
  stop(): Promise<void>
}

/**
 * Makes one of several processes lead. NATS decides who begins; PostgreSQL refuses the writes of everyone who began
 * before. Without NATS, the process that leads goes on until the database refuses it. Without the database it goes on too,
 * unless another process has it.
 */
export function seekLeadership(edges: LeadershipEdges): Leadership {
  const { leases, database, clock, canOtherLead, onLead, onDeposed, onFault } = edges
  let lease: Lease | undefined
  let hasBegun = false
  let isOver = false
  let isClosing = false
  /** monotonic */
  let claimsFrom = -Infinity
  let refused: Refused | undefined
  const watch = watchDatabase({ clock, ask: database.confirm })

  function depose(why: string) {
    if (isOver) return
    isOver = true
    end()
    onDeposed(why)
  }

  /** What this process has begun to lead ends when another one has taken the lead, or the database refuses it. */
  async function handOver() {
    if (watch.unansweredMs < leadsWithoutMs || !(await canOtherLead())) return
    const own = lease
    lease = undefined
    claimsFrom = clock.monotonic() + takeMs
    await own?.release()
  }

  async function claim() {
    if (lease && hasBegun) return handOver()
    if (lease || isOver || isClosing || clock.monotonic() < claimsFrom) return
    if (refused) return insist(refused)
    const own: Claimed = { isLost: false }
    const claimed = await leases.claim('leader', () => lose(own), leaderTimes)
    if (claimed) return begin(Object.assign(own, { lease: claimed }))
    // the lease was lost, and another process has it now
    if (hasBegun) depose('another process has taken the lead')
  }

  function lose(own: Claimed) {
    own.isLost = true
    lease = undefined
    refused = undefined
  }

  /** `over`: the lease that has refused this one before. */
  async function begin(own: Required<Claimed>, over?: string) {
    const claimed = own.lease
    let begun: Begun | undefined
    try {
      // a lease that was lost and claimed again has a new fence
      if (!isOver && !isClosing) begun = await database.begin(claimed.fence, over)
    } catch (error) {
      // the database does not answer: this process tries again, or another one
      await claimed.release()
      throw error
    }
    if (isOver || isClosing || !begun) return claimed.release()
    if ('newer' in begun) return doubt(own, begun.newer)
    if (over !== undefined) onFault(new Error(restored))
    if (!own.isLost) lease = claimed
    if (hasBegun) return
    hasBegun = true
    try {
      await onLead(begun.fence)
    } catch (error) {
      onFault(error)
      await claimed.release()
      depose('this process could not begin to lead')
    }
  }

  async function doubt(own: Required<Claimed>, newer: string) {
    if (hasBegun) {
      await own.lease.release()
      depose('another process has led meanwhile')
    } else if (!own.isLost) refused = { own, newer, since: clock.monotonic() }
  }

  /** Only the true holder can renew a lease, so that a newer one in the database is of servers as they were later. */
  function insist({ own, newer, since }: Refused) {
    if (clock.monotonic() - since < provenMs || !own.lease.isHeld()) return
    refused = undefined
    return begin(own, newer)
  }

  const claiming = createTicker({ clock, intervalMs: claimMs, firstMs: 0, run: claim, onError: onFault })
  function end() {
    claiming.stop()
    watch.stop()
  }

  const holdsLease = () => lease?.isHeld() === true
  return {
    get isLeading() {
      return hasBegun && !isOver
    },
    mayAct: () => !isOver && (holdsLease() || clock.monotonic() - database.confirmedAt < provedMs),
    get holdsLease() {
      return !isOver && holdsLease()
    },
    get isConfirmed() {
      return holdsLease() || watch.unansweredMs < answeredMs
    },
    get hasDatabase() {
      return watch.unansweredMs < answeredMs
    },
    refused: () => depose('the database refuses its writes: another process leads'),
    close() {
      isClosing = true
      end()
    },
    async stop() {
      isOver = true
      end()
      await (lease ?? refused?.own.lease)?.release()
    },
  }
}
