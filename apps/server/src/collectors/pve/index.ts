import { monitorFlags } from '@pulse/contract'
import { type Connection, wallOffset } from '@pulse/domain'
import { limitsWithin } from '../proxmox/call.ts'
import { createSuspendDetector } from '../../timing/suspend-detector.ts'
import { products } from '../proxmox/product.ts'
import { openSession } from '../proxmox/session.ts'
import { Tally } from '../proxmox/tally.ts'
import { testConnection } from '../proxmox/test-connection.ts'
import { SourceHealth } from '../source-health.ts'
import { usualPace, type Collector, type CollectorEdges, type RunningCollector } from '../source.ts'
import { BackupCache } from './backup-cache.ts'
import { BackupRuns } from './backup-runs.ts'
import { CallBudget, WAYS } from '../../polling/call-budget.ts'
import { Cluster } from './cluster.ts'
import { ClusterParts } from './cluster-parts.ts'
import { type ClusterContext, LISTING, type MonitorFlags, RIGHTS } from './context.ts'
import { Endpoints, type Endpoint } from './endpoints.ts'
import { Gateway } from './gateway.ts'
import { GuestCache, mostGuests } from './guests.ts'
import { reportMemory } from './memory-report.ts'
import { NodeCache } from './nodes.ts'
import { watchOutages } from './outages.ts'
import type { Part } from './part.ts'
import { parts } from './parts.ts'
import { publishCluster } from './publish.ts'
import { rightsOf } from './rights.ts'
import { StorageVisibility } from './visibility.ts'
import { StorageCache } from './storages.ts'
import { SnapshotCache } from './snapshots.ts'
import { examine } from './test-connection.ts'

/** Watches clusters by these parts, and so many guests of each. */
export const watchBy = (all: readonly Part[], most = mostGuests): Collector => ({
  start: (connection, edges) => start(connection, edges, all, most),
  test: (connection, edges) =>
    testConnection(connection, edges, products.pve, (ask) => examine(ask, edges.clock, rightsOf(all))),
})

export const pve: Collector = watchBy(parts)

function start(
  initial: Connection,
  edges: CollectorEdges,
  all: readonly Part[],
  most: number,
): RunningCollector {
  const suspendDetector = createSuspendDetector(edges.clock)
  const { clock, judged } = suspendDetector
  const connection = { ...initial }
  const offset = wallOffset(clock)
  const log = edges.log.child({ connection: connection.id, instance: connection.name })
  const flags: MonitorFlags = { ...monitorFlags.pve, ...connection.flags }
  const budget = new CallBudget(clock)
  const health = new SourceHealth(suspendDetector, log, { main: LISTING, rights: RIGHTS, isCluster: true })
  const tally = new Tally()
  const nodes = new NodeCache()
  const guests = new GuestCache(wantedGuests(flags), most)
  const backups = new BackupCache(connection)
  const visibility = new StorageVisibility()
  const payForWay = () => budget.source.take(WAYS)

  const endpoints = new Endpoints(connection, clock, endpointChanged, {
    take: () => payForWay() === 0,
    refund: () => budget.source.refund(WAYS),
  })
  const { learned, observe } = edges
  const cluster = new Cluster({ clock, wallOffset: offset, connection, endpoints, nodes, learned })
  const session = openSession(connection.auth, products.pve, clock, () => void payForWay())
  const pace = edges.pace ?? (() => usualPace)
  const limits = () => limitsWithin(pace().timeoutMs)
  const outages = watchOutages(clock, log)
  const publisher = publishCluster({
    clock,
    judged,
    log,
    health,
    nodes,
    cluster,
    connection,
    pace,
    observe,
    wallOffset: offset,
    known: () => runner,
    excess: () => guests.excess,
  })
  const context: ClusterContext = {
    clock,
    log,
    budget,
    health,
    tally,
    nodes,
    guests,
    storages: new StorageCache(visibility),
    visibility,
    backups,
    runs: new BackupRuns(backups),
    snapshots: new SnapshotCache(backups),
    cluster,
    outages,
    endpoints,
    gateway: new Gateway({ clock, budget, endpoints, session, tally, limits }),
    startAt: clock.monotonic() + (edges.firstAfterMs ?? 0),
    pace,
    load: edges.load ?? { underWay: 0 },
    rights: () => rightsOf(runner.enabled()),
    listsByNode: () => health.failsWithAnswers(LISTING),
    isRefused: () => health.errorOf(LISTING)?.code === 'unauthorized',
    follow: (listing) => runner.follow(listing),
    wake: (why) => runner.wake(why),
    publish: (withinMs) => void publisher.soon(withinMs),
  }
  const isWanted = (part: Part) =>
    (part.flags?.some((flag) => flags[flag]) ?? true) && (part.isWanted?.(pace()) ?? true)
  const runner = new ClusterParts(context, all, isWanted)
  runner.enable()

  function endpointChanged({ url, fault, typed, node }: Endpoint) {
    if (fault) {
      outages.lost(`address ${url}`, fault.message)
      if (fault.code === 'fingerprint' && !typed) runner.wake('untrusted')
    } else {
      outages.found(`address ${url}`)
      runner.wake('found')
      // Texts of an outage go when each question has been answered, so all failed calls are repeated.
      if (typed) runner.wake('back')
      else if (node !== undefined) runner.wakeNode(node, 'back')
    }
    void publisher.soon(0)
  }

  return {
    apply(change) {
      Object.assign(connection, { name: change.name, flags: change.flags })
      Object.assign(flags, monitorFlags.pve, change.flags)
      guests.want(wantedGuests(flags))
      cluster.place()
      void publisher.soon(0)
      runner.enable()
      runner.wake('changed')
    },
    refresh() {
      runner.enable()
      runner.refresh()
    },
    calls: () => budget.count(connection.name),
    totals: () => tally.totals(),
    memory: () => reportMemory(connection.name, nodes, guests, offset()),
    async stop() {
      publisher.stop()
      outages.stop()
      const ending = runner.stop()
      await endpoints.close()
      await ending
    },
  }
}

const wantedGuests = (flags: MonitorFlags) => ({ qemu: flags.monitorVMs, lxc: flags.monitorContainers })
