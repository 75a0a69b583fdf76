import { type Clock, spreadStep } from '@pulse/domain'
import { randomUUID } from 'node:crypto'
import { createTicker } from '../../timing/ticker.ts'
import type { Lease } from './held-lease.ts'
import type { Leases } from './leases.ts'
import type { Presence, PresentProcess } from '../presence.ts'

const stepMs = 1_500
/** A source without a holder is taken by any collector after this time, whichever should take it. */
const overdueMs = 3_000
/** Leases that end without a word of their holder are seen after this time at the latest. */
const readMs = 6_000
/**
 * A source that has moved, or was to move, within this time stays where it is: processes of two versions may disagree about
 * what it costs, and would pass it to and fro.
 */
const settledMs = 60_000

/** Why a lease has ended: another process has it, it could not be renewed in time, or this one does not want it. */
export type Ended = 'taken' | 'unrenewed' | 'released'

export interface SourceClaimsEdges {
  leases: Pick<Leases, 'claim' | 'holders'>
  presence: Pick<Presence, 'ofSite'>
  /** the id of this process */
  own: string
  site: string
  clock: Pick<Clock, 'after' | 'monotonic'>
  /** What there is to collect, and how much work each makes. */
  costs: () => ReadonlyMap<string, number>
  /** It is collected here from now on. */
  onClaimed: (source: string, fence: string) => void
  /** It is not to be collected here any more: at once, because another process may begin. */
  onGone: (source: string, why: Ended) => void
  onFault: (error: unknown) => void
}

export interface SourceClaims {
  /** Gives all sources back, so that the others take them at once. */
  stop(): Promise<void>
}

/** Shares the sources among all processes that collect. */
export function claimSources(edges: SourceClaimsEdges): SourceClaims {
  const { leases, presence, own, site, clock, costs, onClaimed, onGone, onFault } = edges
  const held = new Map<string, Lease>()
  /** monotonic */
  const freeSince = new Map<string, number>()
  let isStopped = false

  function drop(source: string, why: Ended) {
    if (held.delete(source)) onGone(source, why)
  }

  async function release(source: string) {
    const lease = held.get(source)
    drop(source, 'released')
    await lease?.release()
  }

  async function claim(source: string) {
    const lease = await leases.claim({ site, source }, (isTaken) =>
      drop(source, isTaken ? 'taken' : 'unrenewed'),
    )
    if (!lease) {
      // another process has it
      read = undefined
      return
    }
    // a process that was frozen meanwhile does not begin on a lease that may have ended
    if (isStopped || !costs().has(source) || !lease.isHeld()) return lease.release()
    held.set(source, lease)
    onClaimed(source, lease.fence)
  }

  /** by others, as they were read last */
  let read: { holders: ReadonlyMap<string, string>; by: string; at: number } | undefined

  /** Each lease is a request, so they are read again when a card says that some have moved, and now and then. */
  async function holdersOf(cards: readonly PresentProcess[]): Promise<Map<string, string>> {
    const at = clock.monotonic()
    const by = cards.map(({ id, moves }) => `${id} ${moves ?? randomUUID()}`).join()
    if (!read || read.by !== by || at - read.at >= readMs)
      read = { holders: await leases.holders(site, new Set(held.keys())), by, at }
    const holders = new Map(read.holders)
    for (const source of held.keys()) holders.set(source, own)
    return holders
  }

  /** monotonic: when each source was with another collector last, or was released for one */
  const movedAt = new Map<string, number>()
  let among = ''

  /** A collector that comes or leaves is a reason to share all of them again. */
  function noteMoved(holders: ReadonlyMap<string, string>, collectors: readonly string[]) {
    const now = clock.monotonic()
    const all = collectors.toSorted().join()
    if (all !== among) movedAt.clear()
    among = all
    for (const [source, at] of movedAt) if (now - at >= settledMs) movedAt.delete(source)
    for (const [source, holder] of holders) if (holder !== own) movedAt.set(source, now)
  }

  async function step() {
    const wanted = costs()
    for (const source of held.keys()) if (!wanted.has(source)) await release(source)
    const cards = await presence.ofSite()
    const holders = await holdersOf(cards)
    const collectors = cards
      .filter((one) => one.site === site && one.roles.includes('collect'))
      .map(({ id }) => id)
    noteMoved(holders, collectors)
    const now = clock.monotonic()
    for (const source of freeSince.keys())
      if (holders.has(source) || !wanted.has(source)) freeSince.delete(source)
    for (const source of wanted.keys())
      if (!holders.has(source) && !freeSince.has(source)) freeSince.set(source, now)
    const next = spreadStep({
      own,
      collectors,
      costs: wanted,
      holders,
      overdue: new Set(
        [...freeSince].filter(([, since]) => now - since >= overdueMs).map(([source]) => source),
      ),
    })
    const released = next.release.filter((source) => !movedAt.has(source))
    for (const source of released) movedAt.set(source, now)
    await Promise.all([...next.claim.map(claim), ...released.map(release)])
  }

  let underWay: Promise<void> | undefined
  const stepping = createTicker({
    clock,
    intervalMs: stepMs,
    firstMs: 0,
    run: () => (underWay = step()),
    onError: onFault,
  })
  return {
    async stop() {
      isStopped = true
      stepping.stop()
      await Promise.all([...held.keys()].map(release))
      // which returns what it claims at that moment; the ticker reports its failure
      await underWay?.catch(() => {})
    },
  }
}
