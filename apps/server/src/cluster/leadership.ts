import type { Clock } from '@pulse/domain'
import type { Leading } from '../db/postgres.ts'
import { createTicker } from '../timing/ticker.ts'
import { watchDatabase } from './database-watch.ts'
import type { Lease, Leases } from './leases.ts'

const claimMs = 500
/** A lease that is not renewed is taken from its holder after `stealMs`; the holder trusts it for a shorter time. */
export const leaderTimes = { renewMs: 1_000, trustedMs: 4_000, stealMs: 6_000 }
/** A write that the database has accepted proves the lead for this time. */
const provedMs = 2_000
/** A process that the database answers at least this often may take the lead from another one. */
const answeredMs = 8_000
/** A process that leads without the database for this time returns the lease if another one could lead. */
const leadsWithoutMs = 15_000
/** The others have this time to take a lease that was returned. */
const takeMs = 8_000

export interface LeadershipEdges {
  leases: Pick<Leases, 'claim'>
  database: Omit<Leading, 'write'>
  clock: Pick<Clock, 'after' | 'monotonic'>
  /** Whether there is another process that may lead, and that the database answers. Rejects without a line to the others. */
  canOtherLead: () => Promise<boolean>
  /** Called once: this process leads. What rejects ends the lead. */
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
    let isLost = false
    const claimed = await leases.claim(
      'leader',
      () => {
        isLost = true
        lease = undefined
      },
      leaderTimes,
    )
    if (!claimed) {
      // the lease was lost, and another process has it now
      if (hasBegun) depose('another process has taken the lead')
      return
    }
    let isBegun: boolean
    try {
      // a lease that was lost and claimed again has a new fence
      isBegun = !isOver && !isClosing && (await database.begin(claimed.fence))
    } catch (error) {
      // the database does not answer: this process tries again, or another one
      await claimed.release()
      throw error
    }
    if (isOver || isClosing) return claimed.release()
    if (!isBegun) {
      await claimed.release()
      if (hasBegun) depose('another process has led meanwhile')
      return
    }
    if (!isLost) lease = claimed
    if (hasBegun) return
    hasBegun = true
    try {
      await onLead(claimed.fence)
    } catch (error) {
      onFault(error)
      await claimed.release()
      depose('this process could not begin to lead')
    }
  }

  const claiming = createTicker({ clock, intervalMs: claimMs, firstMs: 0, run: claim, onError: onFault })
  function end() {
    claiming.stop()
    watch.stop()
  }

  return {
    get isLeading() {
      return hasBegun && !isOver
    },
    mayAct: () =>
      !isOver && (lease?.isHeld() === true || clock.monotonic() - database.confirmedAt < provedMs),
    get isConfirmed() {
      return lease?.isHeld() === true || watch.unansweredMs < answeredMs
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
      await lease?.release()
    },
  }
}
