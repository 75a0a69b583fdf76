import type { Connection } from '@pulse/domain'
import { OTHER_CALLS } from '../../polling/call-budget.ts'
import { limitsWithin } from '../proxmox/call.ts'
import { products } from '../proxmox/product.ts'
import { rightsOf } from '../proxmox/rights.ts'
import { openSession } from '../proxmox/session.ts'
import { testConnection } from '../proxmox/test-connection.ts'
import { publishSource } from '../publish-source.ts'
import type { Collector, CollectorEdges, RunningCollector } from '../source.ts'
import { createSource, toCollector } from '../watch-source.ts'
import { BackupCache } from './backup-cache.ts'
import { BackupRuns } from './backup-runs.ts'
import { Cluster } from './cluster.ts'
import { ClusterParts } from './cluster-parts.ts'
import { type ClusterContext, LISTING, RIGHTS } from './context.ts'
import { Endpoints, type Endpoint } from './endpoints.ts'
import { Gateway } from './gateway.ts'
import { GuestCache, mostGuests } from './guests.ts'
import type { MapContext } from './map.ts'
import { reportMemory } from './memory-report.ts'
import { NodeCache } from './nodes.ts'
import { watchOutages } from './outages.ts'
import type { Part } from './part.ts'
import { parts } from './parts.ts'
import { StorageVisibility } from './visibility.ts'
import { StorageCache } from './storages.ts'
import { SnapshotCache } from './snapshots.ts'
import { examine } from './test-connection.ts'

/** Watches clusters with these parts, up to a number of guests each. */
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
  const source = createSource(initial, edges, { main: LISTING, rights: RIGHTS, isCluster: true })
  const { clock, log, connection, budget, health, tally, pace, wallOffset, isOn } = source
  const nodes = new NodeCache()
  const wanted = () => ({ qemu: isOn('monitorVMs'), lxc: isOn('monitorContainers') })
  const guests = new GuestCache(wanted(), most)
  const backups = new BackupCache(connection)
  const visibility = new StorageVisibility()
  const takeOtherCall = () => budget.source.take(OTHER_CALLS)

  const endpoints = new Endpoints(connection, clock, endpointChanged, {
    take: () => takeOtherCall() === 0,
    refund: () => budget.source.refund(OTHER_CALLS),
  })
  const cluster = new Cluster({ clock, wallOffset, connection, endpoints, nodes, learned: edges.learned })
  const session = openSession(connection.auth, products.pve, clock, () => void takeOtherCall())
  const limits = () => limitsWithin(pace().timeoutMs)
  const outages = watchOutages(clock, log)
  const publisher = publishSource<MapContext>(source, {
    context: ({ name: instance, ...shared }) => ({
      ...shared,
      instance,
      clusterName: cluster.name,
      isCluster: cluster.isCluster,
      lost: nodes.lost(),
    }),
    map: (...of) => runner.map(...of),
    records: (...of) => runner.records(...of),
    isDegraded: () => cluster.isDegraded(),
    excess: () => guests.excess,
    state(shown) {
      const { lastListedAt } = health
      const reading = runner.reading()
      return {
        ...(lastListedAt !== undefined && { listedAt: shown(lastListedAt) }),
        ...(reading.length > 0 && { reading }),
      }
    },
  })
  const context: ClusterContext = {
    ...source,
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
    rights: () => rightsOf(runner.enabled()),
    listsByNode: () => health.failsWithAnswers(LISTING),
    isRefused: () => health.errorOf(LISTING)?.code === 'unauthorized',
    follow: (listing) => runner.follow(listing),
    wake: (why) => runner.wake(why),
    failed: (question, cause) => runner.failed(question, cause),
    publish: publisher.soon,
  }
  const runner = new ClusterParts(context, all)
  runner.enable()

  function endpointChanged({ url, fault, typed, node }: Endpoint) {
    if (fault) {
      outages.lost(`address ${url}`, fault.message)
      if (fault.code === 'fingerprint' && !typed) runner.wake('untrusted')
    } else {
      outages.found(`address ${url}`)
      runner.wake('found')
      // The texts of an outage disappear when each question was answered, so all failed calls are repeated.
      if (typed) runner.wake('back')
      else if (node !== undefined) runner.wakeNode(node, 'back')
    }
    void publisher.soon(0)
  }

  return {
    ...toCollector(source, {
      publisher,
      changed() {
        guests.want(wanted())
        cluster.updateNodes()
        runner.enable()
        runner.wake('changed')
      },
      refresh() {
        runner.enable()
        runner.refresh()
      },
      waits: () => runner.waits(),
      breaker: () => endpoints.bestBreaker.report(),
      stop() {
        outages.stop()
        return runner.stop()
      },
      close: () => endpoints.close(),
    }),
    memory: () => reportMemory(connection.name, nodes, guests, wallOffset()),
  }
}
