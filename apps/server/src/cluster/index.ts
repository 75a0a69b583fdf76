import type { SourceKind, VersionInfo } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { randomUUID } from 'node:crypto'
import os from 'node:os'
import type { Logger } from 'pino'
import type { Area } from '../area.ts'
import type { Collector } from '../collectors/source.ts'
import type { State } from '../state/state.ts'
import type { FaultReport } from '../troubles/faults.ts'
import type { Troubles } from '../troubles/troubles.ts'
import { openBus } from './bus.ts'
import { type Claimed, leasedCollectors } from './leased-collectors.ts'
import { openLeases } from './leases.ts'
import type { NatsSettings } from './nats-settings.ts'
import { openPresence, type Role } from './presence.ts'
import { shareState } from './shared-state.ts'
import { claimSources, type SourceClaims } from './source-claims.ts'
import { changedRows } from './subjects.ts'

export interface ClusterConfig {
  nats: NatsSettings
  roles: readonly Role[]
  site: string
}

export interface ClusterEdges {
  config: ClusterConfig
  state: State
  clock: Clock
  log: Logger
  version: VersionInfo
  troubles: Troubles
  report: FaultReport
  /** Another process has changed what is stored. */
  rowsChanged: () => void
}

export interface Cluster {
  /** the same in all processes */
  state: State
  /** Collect what this process has the lease of. */
  collectors(own: Record<SourceKind, Collector>): Record<SourceKind, Collector>
  /** This process has changed what is stored. */
  onWrite(): void
  area: Area
}

const trouble = 'nats'
/** A change of many rows is one message. */
const gatherMs = 50

/** Makes this process one of several that watch the same estate. Rejects if no NATS server answers. */
export async function joinCluster(edges: ClusterEdges): Promise<Cluster> {
  const { config, state, clock, log, version, troubles, report, rowsChanged } = edges
  const { nats, roles, site } = config
  const id = randomUUID()
  const onFault = (error: unknown) => report('cluster', error)

  const bus = await openBus(nats, {
    name: `pulse ${roles.join()} ${id}`,
    onLost: (why) =>
      troubles.begin(
        trouble,
        `NATS does not answer (${why}). This process goes on with what it has; what others collect is not renewed.`,
      ),
    onBack() {
      troubles.end(trouble, 'NATS did not answer for a while. It is back.')
      rowsChanged()
      void shared.lineIsBack().catch(onFault)
    },
  })
  const shared = await shareState({
    state,
    bus,
    site,
    clock,
    onFault,
    onRefused: (subject, why) => log.warn({ subject, why }, 'a message of another process was refused'),
  })
  const leases = await openLeases({ bus, holder: id, clock, onFault })
  const card = { id, host: os.hostname(), version: version.version, roles, startedAt: clock.now() }
  const presence = await openPresence({ bus, own: card, clock, onFault })

  const turns = new Map<string, { begin(): void; end(): void }>()
  const held = new Set<string>()
  const claimed: Claimed = {
    isKnown: (source) => (state.tables.sources.get(source)?.health ?? 'unknown') !== 'unknown',
    watch(source, own) {
      turns.set(source, own)
      // begun again with another address while its lease is here
      if (held.has(source)) queueMicrotask(() => held.has(source) && turns.get(source) === own && own.begin())
      return () => void (turns.get(source) === own && turns.delete(source))
    },
  }
  let claims: SourceClaims | undefined

  let cancelGathering: (() => void) | undefined
  const changes = bus.nats.subscribe(changedRows, {
    callback: (_, message) => void (message.string() !== id && rowsChanged()),
  })

  return {
    state: shared.state,
    collectors: (own) => leasedCollectors(own, claimed),
    onWrite() {
      cancelGathering ??= clock.after(gatherMs, () => {
        cancelGathering = undefined
        bus.nats.publish(changedRows, id)
      })
    },
    area: {
      name: 'the cluster',
      async start() {
        await shared.isCaughtUp
        if (!roles.includes('collect')) return
        claims = claimSources({
          leases,
          presence,
          own: id,
          clock,
          costs: () => new Map([...turns.keys()].map((source) => [source, 1])),
          onClaimed(source, fence) {
            held.add(source)
            shared.own(source, fence)
            turns.get(source)?.begin()
          },
          onGone(source) {
            held.delete(source)
            turns.get(source)?.end()
            shared.disown(source)
          },
          onFault,
        })
      },
      async stop() {
        changes.unsubscribe()
        cancelGathering?.()
        await claims?.stop()
        await shared.stop()
        await presence.leave()
        await bus.close()
      },
    },
  }
}
