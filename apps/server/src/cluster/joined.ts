import type { LiveEvent } from '@pulse/contract'
import os from 'node:os'
import type { OnSignal } from '../signal.ts'
import type { Bus } from './nats/bus.ts'
import { createCalls } from './lead/calls.ts'
import { watchClock } from './clock-watch.ts'
import type { Cluster, ClusterEdges } from './cluster.ts'
import { clusterMetrics } from './cluster-metrics.ts'
import { startCollecting } from './collecting.ts'
import { shareEvents } from './events.ts'
import { createLeadCheck } from './lead/lead-check.ts'
import { watchDoubt } from './lead/lead-doubt.ts'
import { type Claimed, leasedCollectors } from './leases/leased-collectors.ts'
import { openLeases } from './leases/leases.ts'
import { createOwnLead } from './lead/own-lead.ts'
import { createOwnSources } from './leases/own-sources.ts'
import { openPresence } from './presence.ts'
import { limitRefusals } from './refusals.ts'
import { sharedClock } from './shared-clock.ts'
import { shareProxyRoles } from './rights/proxy-roles.ts'
import { createReloads } from './reloads.ts'
import { watchRights } from './rights/rights-watch.ts'
import { shareState } from './frames/shared-state.ts'
import { shownProcesses } from './shown-processes.ts'
import { testedAtSites } from './sites/site-tests.ts'
import { sourceCosts } from './frames/source-costs.ts'
import { keepUnsavedWrites } from './unsaved/unsaved-writes.ts'
import { shareWrites } from './writes.ts'

/** Servers that keep a copy of streams and buckets. JetStream works while more than half of them do. */
const mostReplicas = 3

/** Of a process whose line to NATS is open. */
export interface Joining extends ClusterEdges {
  /** of this process */
  id: string
  onFault: (error: unknown) => void
  /** The line is back. */
  onBack: OnSignal
}

/** The parts of this process that share its work with the others. */
export async function joinOver(bus: Bus, edges: Joining): Promise<Cluster> {
  const { config, state, clock, log, version, vault, leading, events, reload, id, onFault, onBack } = edges
  const { nats, roles, site } = config
  const replicas = Math.min(mostReplicas, nats.servers.length)
  const takesOthers = roles.some((role) => role !== 'collect')
  const onRefused = limitRefusals(clock, (refusal) =>
    log.warn(refusal, 'a message of another process was refused'),
  )

  const reloads = createReloads({ clock, reload })
  const writes = shareWrites({
    bus,
    own: id,
    clock,
    onWritten: (tables) => void reloads.request(tables),
  })
  let wasCut = false
  const unsubscribe = onBack(() => (wasCut = true))
  const ownSources = createOwnSources()
  const { held, siteOf, connectionOf } = ownSources
  const shared = await shareState({
    state,
    bus,
    site,
    clock,
    replicas,
    connectionOf,
    connections: () => ownSources.sources().map((source) => connectionOf(source)!),
    takesOthers,
    onFault,
    onRefused,
  })
  unsubscribe()
  onBack(() => {
    void shared.lineIsBack().catch(onFault)
    // what either side has published meanwhile is lost
    void reloads.request()
    writes.announceAll()
  })
  if (wasCut) await shared.lineIsBack()
  const leases = await openLeases({ bus, holder: id, site, clock, replicas, onFault })
  const own = createOwnLead({
    bus,
    leases,
    leading,
    clock,
    log,
    id,
    site,
    present: () => presence.readable(),
    mayLead: roles.includes('judge'),
    async takeOver(fence) {
      // from here on, nothing more is taken from the process that led before
      await shared.caughtUp()
      shared.lead(fence)
      await unsaved.lead()
      // what the process that led before has written
      await reload()
      writes.announceAll()
    },
    onLeading() {
      shared.forgetUnled()
      presence.renew()
    },
    onFault,
  })
  const { installation } = edges
  /** A process that starts has just read the database. */
  let databaseAgeMs = () => 0
  const started = {
    id,
    installation,
    host: os.hostname(),
    site,
    version: version.version,
    roles,
    startedAt: clock.now(),
  }
  const presence = await openPresence({
    bus,
    own: () => ({
      ...started,
      leads: own.isLeading,
      sources: held.size,
      moves: ownSources.moves,
      waiting: shared.waiting(),
      ...(own.leadership && { hasDatabase: own.leadership.hasDatabase }),
      databaseAgeMs: databaseAgeMs(),
    }),
    clock,
    replicas,
    onFault,
  })
  const rights = watchRights({
    clock,
    marks: edges.marks,
    read: reload,
    onRead: edges.onRead,
    onUnread: reloads.onFailed,
    wroteAt: () => leading.confirmedAt,
    async processes() {
      if (!bus.isUp) throw new Error('there is no line to the other processes')
      return presence.list()
    },
    site,
  })
  databaseAgeMs = () => rights.databaseAgeMs
  const doubt = watchDoubt({ clock, lead: () => own.leadership, troubles: edges.troubles, onFault })
  const clockWatch = watchClock({ clock, aheadMs: edges.clockAheadMs, troubles: edges.troubles, onFault })
  const sharedEvents = shareEvents({ bus, own: id, events, onRefused })
  const proxyRoles = shareProxyRoles({ bus, own: id, onRefused })
  const unsaved = await keepUnsavedWrites({
    bus,
    db: edges.db,
    leading,
    vault,
    clock,
    log,
    replicas,
    holdsLease: () => own.leadership?.holdsLease === true,
    onBack,
    onFault,
  })
  const calls = createCalls({ bus, own: id, vault, clock, onFault, onRefused })

  const claimed: Claimed = {
    isKnown: shared.isSaid,
    watch(source, own) {
      const end = ownSources.watch(source, own)
      shared.known(source, siteOf(source)!)
      return end
    },
  }
  let collecting: ReturnType<typeof startCollecting> | undefined
  const checkLead = createLeadCheck({
    clock,
    isInDoubt: () => own.isLeading && own.leadership?.holdsLease !== true,
    confirm: leading.confirm,
  })

  const stillLeads = async () => {
    await checkLead()
    return own.isLeading
  }

  return {
    clock: sharedClock(clock, edges.clockAheadMs),
    state: shared.state,
    ledState: shared.ledState,
    ledDatabase: unsaved.db,
    has: (role) => roles.includes(role),
    collectors: (all, keys) =>
      testedAtSites(leasedCollectors(all, claimed), {
        bus,
        clock,
        own: site,
        keys,
        present: presence.readable,
      }),
    writes,
    events: {
      publish(event: LiveEvent, isMeant) {
        events.publish(event, isMeant)
        if (own.isLeading && !isMeant) sharedEvents.publish(event)
      },
      refresh() {
        events.refresh()
        if (own.isLeading) sharedEvents.refresh()
      },
    },
    get isLeading() {
      return own.isLeading
    },
    mayAct: own.mayAct,
    checkLead,
    ask: calls.ask,
    answerWith: own.answerWith,
    canLead: (areas) => own.seek(areas, calls),
    fenced: () => own.leadership?.refused(),
    onDeposed: own.onDeposed,
    proxyRoles,
    rights,
    link: { bus, replicas, own: site, present: presence.readable, stillLeads, onRefused },
    readiness: () => ({
      // pages are shown without the database too
      ready: bus.isUp && (roles.includes('serve') || own.leadership?.hasDatabase !== false),
      roles: [...roles],
      leads: own.isLeading,
    }),
    area: {
      name: 'the cluster',
      diagnose: async () => ({ processes: shownProcesses(await presence.readable()) }),
      metrics: clusterMetrics({
        leads: () => own.isLeading,
        sources: () => held.size,
        waiting: shared.waiting,
        isUp: () => bus.isUp,
      }),
      async start() {
        await shared.follow()
        collecting = startCollecting({
          bus,
          leases,
          presence,
          shared,
          ownSources,
          own: id,
          site,
          clock,
          costOf: sourceCosts(state.tables, clock, shared.heardRecords),
          collects: roles.includes('collect'),
          mark: takesOthers ? state.markSiteUnreachable : undefined,
          onFault,
        })
      },
      async stop() {
        own.close()
        calls.stop()
        await collecting?.stop().catch(onFault)
      },
    },
    line: {
      name: 'the line to other processes',
      async stop() {
        rights.stop()
        unsaved.stop()
        doubt.stop()
        clockWatch.stop()
        reloads.stop()
        writes.stop()
        sharedEvents.stop()
        proxyRoles.stop()
        // Without NATS nothing can be returned: it ends by its age. The rest has to end all the same.
        for (const end of [shared.stop, own.stop, presence.leave, bus.close]) await end().catch(onFault)
      },
    },
  }
}
