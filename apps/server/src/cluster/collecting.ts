import type { Clock } from '@pulse/domain'
import type { State } from '../state/state.ts'
import type { Bus } from './nats/bus.ts'
import type { Leases } from './leases/leases.ts'
import type { OwnSources } from './leases/own-sources.ts'
import type { Presence } from './presence.ts'
import type { SharedState } from './frames/shared-state.ts'
import { watchSites } from './sites/site-watch.ts'
import { claimSources } from './leases/source-claims.ts'

interface CollectingEdges {
  bus: Pick<Bus, 'isUp'>
  leases: Leases
  presence: Presence
  shared: SharedState
  ownSources: OwnSources
  /** the id of this process */
  own: string
  site: string
  clock: Clock
  costOf: (source: string) => number
  /** whether it claims sources */
  collects: boolean
  /** Shows that no word of a site arrives; absent: this process shows nothing of others. */
  mark: State['markSiteUnreachable'] | undefined
  onFault: (error: unknown) => void
}

/** Collects this process's share of the sources, and watches whether those of other sites are heard of. */
export function startCollecting(edges: CollectingEdges): { stop(): Promise<void> } {
  const { bus, leases, presence, shared, ownSources, own, site, clock, costOf, collects, mark, onFault } =
    edges
  const { held, siteOf } = ownSources
  let isStopping = false
  const siteWatch =
    mark &&
    watchSites({
      clock,
      present: async () => (bus.isUp ? await presence.readable() : []),
      sites: () => new Map(ownSources.sources().map((source) => [source, siteOf(source)!])),
      isOwn: (source) => held.has(source),
      heardAt: shared.heardAt,
      mark,
      onFault,
    })
  const ofSite = () => ownSources.sources().filter((source) => siteOf(source) === site)
  const claims = collects
    ? claimSources({
        leases,
        presence,
        own,
        site,
        clock,
        costs: () => new Map(ofSite().map((source) => [source, costOf(source)])),
        onClaimed(source, fence) {
          ownSources.hold(source)
          presence.renew()
          shared.own(source, fence)
          ownSources.begin(source)
        },
        onGone(source) {
          ownSources.release(source)
          presence.renew()
          ownSources.end(source)
          shared.disown(source, isStopping)
        },
        onFault,
      })
    : undefined
  return {
    async stop() {
      isStopping = true
      siteWatch?.stop()
      await claims?.stop()
    },
  }
}
