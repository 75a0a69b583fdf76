import type { Clock } from '@pulse/domain'
import { randomUUID } from 'node:crypto'
import os from 'node:os'
import type { Bus } from '../cluster/nats/bus.ts'
import type { Claimed } from '../cluster/leases/leased-collectors.ts'
import { openLeases } from '../cluster/leases/leases.ts'
import { openPresence, type Presence, type PresentProcess } from '../cluster/presence.ts'
import { claimSources, type SourceClaims } from '../cluster/leases/source-claims.ts'
import { createOwnSources } from '../cluster/leases/own-sources.ts'
import type { Outbound } from './outbound.ts'

/** How long the only collector of a site goes on without a line to NATS. */
const cutLimitMs = 60 * 60_000

export interface RemoteClaimsEdges {
  bus: Bus
  site: string
  version: string
  clock: Clock
  outbound: Pick<Outbound, 'own' | 'disown' | 'hasHeard'>
  /** Whether other processes know what has become of the source. */
  isKnown: (source: string) => boolean
  /** the work that it makes */
  costOf: (source: string) => number
  onFault: (error: unknown) => void
}

/** The sources that this process collects, shared with the other collectors of its site. */
export interface RemoteClaims {
  claimed: Claimed
  /** Begins, once the buckets of the site are there. */
  join(): Promise<void>
  /** The other processes do not count on this one while its key is refused. */
  setRefused(isRefused: boolean): void
  collected(): number
  /** The leases return at once. */
  stop(): Promise<void>
  /** The other processes know at once that it has ended. */
  leave(): Promise<void>
}

export function createRemoteClaims(edges: RemoteClaimsEdges): RemoteClaims {
  const { bus, site, version, clock, outbound, isKnown, costOf, onFault } = edges
  const id = randomUUID()
  const ownSources = createOwnSources()
  const { held } = ownSources
  /** collected on without a lease, because the line is cut: their ends */
  const kept = new Map<string, () => void>()
  let others: readonly PresentProcess[] = []
  let isRefused = false
  let presence: Presence | undefined
  let claims: SourceClaims | undefined
  const startedAt = clock.now()
  const collected = () => held.size + kept.size

  const card = () => ({
    id,
    host: os.hostname(),
    version,
    site,
    roles: isRefused ? [] : (['collect'] as const),
    startedAt,
    leads: false,
    sources: collected(),
    moves: ownSources.moves,
    waiting: 0,
    isRemote: true,
  })

  function end(source: string) {
    kept.get(source)?.()
    kept.delete(source)
    ownSources.end(source)
    outbound.disown(source)
  }

  const claimed: Claimed = {
    isKnown: (source) => outbound.hasHeard(source) || isKnown(source),
    watch: ownSources.watch,
  }

  return {
    claimed,
    async join() {
      if (claims) return
      const leases = await openLeases({ bus, holder: id, site, clock, mayMake: false, onFault })
      presence ??= await openPresence({ bus, own: card, clock, mayMake: false, onFault })
      const { ofSite, renew } = presence
      claims = claimSources({
        leases: {
          claim: leases.claim,
          async holders(of, own) {
            const found = await leases.holders(of, own)
            for (const source of kept.keys()) {
              const holder = found.get(source)
              if (holder !== undefined && holder !== id) end(source)
            }
            return found
          },
        },
        presence: {
          async ofSite() {
            const all = await ofSite()
            others = all.filter((one) => one.id !== id && one.roles.includes('collect'))
            return all
          },
        },
        own: id,
        site,
        clock,
        costs: () => new Map(ownSources.sources().map((source) => [source, costOf(source)])),
        onClaimed(source, fence) {
          ownSources.hold(source)
          renew()
          outbound.own(source, fence)
          const isRunning = kept.has(source)
          kept.get(source)?.()
          kept.delete(source)
          if (!isRunning) ownSources.begin(source)
        },
        onGone(source, why) {
          ownSources.release(source)
          renew()
          // no other process can poll it: the line is cut, and this one is the only collector of the site
          if (why === 'unrenewed' && others.length === 0 && ownSources.siteOf(source) !== undefined)
            kept.set(
              source,
              clock.after(cutLimitMs, () => end(source)),
            )
          else end(source)
        },
        onFault,
      })
    },
    setRefused(now) {
      isRefused = now
      presence?.renew()
    },
    collected,
    async stop() {
      for (const source of kept.keys()) end(source)
      await claims?.stop()
    },
    leave: async () => presence?.leave(),
  }
}
