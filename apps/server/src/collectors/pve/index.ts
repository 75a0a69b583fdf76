import { monitorFlags } from '@pulse/contract'
import { type Connection, wallOffset } from '@pulse/domain'
import { Budget } from '../../polling/budget.ts'
import { limitsWithin } from '../proxmox/call.ts'
import { products } from '../proxmox/product.ts'
import { openSession } from '../proxmox/session.ts'
import { Tally } from '../proxmox/tally.ts'
import { testConnection } from '../proxmox/test-connection.ts'
import { usualPace, type Collector, type CollectorEdges, type RunningCollector } from '../source.ts'
import { countCalls } from './calls.ts'
import { Cluster } from './cluster.ts'
import { collectCluster } from './collect.ts'
import type { Desk, MonitorFlags } from './desk.ts'
import { Endpoints, type Endpoint } from './endpoints.ts'
import { CLUSTER_BUDGET, Gateway } from './gateway.ts'
import type { GuestFacts } from './guest-facts.ts'
import { GuestBook } from './guests.ts'
import { SourceHealth } from './health.ts'
import { reportMemory } from './memory-report.ts'
import { NodeBook } from './nodes.ts'
import { watchOutages } from './outages.ts'
import type { ProbePlan } from './probe-plan.ts'
import { LISTING, startPublisher } from './publish.ts'
import { StorageBook } from './storages.ts'
import { examine } from './test-connection.ts'
import { watchNode, type NodeWatch } from './watch-node.ts'

export const pve: Collector = {
  start,
  test: (connection, edges) =>
    testConnection(connection, edges, products.pve, (ask) => examine(ask, edges.clock)),
}

function start(initial: Connection, edges: CollectorEdges): RunningCollector {
  const { clock } = edges
  const connection = { ...initial }
  const offset = wallOffset(clock)
  const log = edges.log.child({ connection: connection.id, instance: connection.name })
  const flags: MonitorFlags = { ...monitorFlags.pve, ...connection.flags }
  const budget = new Budget(clock)
  const health = new SourceHealth(clock)
  const tally = new Tally()
  const nodes = new NodeBook()
  const guests = new GuestBook(wantedGuests(flags))
  const storages = new StorageBook()
  const watches = new Map<string, NodeWatch>()
  const plans = new Map<number, ProbePlan>()
  let stopped = false

  const endpoints = new Endpoints(
    connection,
    clock,
    (endpoint) => endpointChanged(endpoint),
    () => budget.take(CLUSTER_BUDGET) === 0,
  )
  const cluster = new Cluster({
    clock,
    wallOffset: offset,
    connection,
    endpoints,
    nodes,
    learned: edges.learned,
  })
  const session = openSession(connection.auth, products.pve, clock, () => void budget.take(CLUSTER_BUDGET))
  const pace = edges.pace ?? (() => usualPace)
  const limits = () => limitsWithin(pace().timeoutMs)
  const outages = watchOutages(clock, log)
  const known = { clock, log, health, nodes, guests, storages, flags }
  const { observe, temperatureOf } = edges
  const publisher = startPublisher({
    ...known,
    wallOffset: offset,
    connection,
    cluster,
    observe,
    temperatureOf,
  })
  const desk: Desk = {
    ...known,
    budget,
    outages,
    tally,
    endpoints,
    gateway: new Gateway({ clock, budget, endpoints, session, tally, limits }),
    pace,
    load: edges.load ?? { underWay: 0 },
    guestRrd: { known: false, askAt: 0 },
    listsByNode: () => health.failsWithAnswers(LISTING),
    isRefused: () => health.errorOf(LISTING)?.code === 'unauthorized',
    publish: (withinMs) => publisher.soon(withinMs),
  }
  const {
    all: loops,
    listing,
    fingerprints,
  } = collectCluster(desk, {
    cluster,
    listed: followNodes,
    back,
    unlisted() {
      for (const watch of watches.values()) watch.listGuests()
    },
  })

  function endpointChanged(endpoint: Endpoint) {
    const { url, fault, typed, node } = endpoint
    if (fault) {
      outages.lost(`address ${url}`, fault.message)
      if (fault.code === 'fingerprint' && !typed) fingerprints.refresh()
    } else {
      outages.found(`address ${url}`)
      listing.refresh()
      if (typed) back()
      else if (node !== undefined) watches.get(node)?.retry()
    }
    publisher.soon(0)
  }

  /** Texts of an outage go when each part has answered, so all that failed are asked anew. */
  function back() {
    for (const loop of loops) if (loop !== listing) loop.refresh()
    for (const watch of watches.values()) watch.retry()
  }

  /** After every listing: a watch for every node, and the guests that run there. */
  function followNodes() {
    if (stopped) return
    cluster.place()
    const running = new Map<string, GuestFacts[]>(nodes.names().map((name) => [name, []]))
    for (const guest of guests.all()) {
      if (guest.status !== 'running') continue
      running.get(guest.node)?.push(guest)
      if (guest.report) tally.atHand()
    }
    for (const [name, watch] of watches) {
      if (running.has(name)) continue
      watches.delete(name)
      void watch.stop()
    }
    for (const [name, there] of running) {
      if (!watches.has(name)) watches.set(name, watchNode(desk, name, watches.size, plans))
      watches.get(name)!.syncGuests(there)
    }
    for (const vmid of plans.keys()) if (!guests.get(vmid)) plans.delete(vmid)
  }

  return {
    apply(change) {
      Object.assign(connection, { name: change.name, flags: change.flags })
      const hadStorage = flags.monitorStorage
      Object.assign(flags, monitorFlags.pve, change.flags)
      guests.want(wantedGuests(flags))
      cluster.place()
      publisher.soon(0)
      listing.refresh()
      // What was not wanted was not asked for either.
      if (flags.monitorStorage && !hadStorage) for (const loop of loops) loop.refresh()
      if (flags.monitorStorage && !hadStorage) for (const watch of watches.values()) watch.refresh()
    },
    refresh() {
      for (const loop of loops) loop.refresh()
      for (const watch of watches.values()) watch.refresh()
    },
    calls: () => countCalls(connection.name, budget, nodes.names()),
    totals: () => tally.totals(),
    memory: () => reportMemory(connection.name, nodes, guests, offset()),
    async stop() {
      stopped = true
      publisher.stop()
      outages.stop()
      const ending = [
        ...loops.map((loop) => loop.stop()),
        ...[...watches.values()].map((watch) => watch.stop()),
      ]
      await endpoints.close()
      await Promise.all(ending)
    },
  }
}

const wantedGuests = (flags: MonitorFlags) => ({ qemu: flags.monitorVMs, lxc: flags.monitorContainers })
