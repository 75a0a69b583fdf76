import { monitorFlags, type ClusterEndpoint, type ConnectionCalls } from '@pulse/contract'
import { Budget } from '../../polling/budget.ts'
import type { Collector, CollectorEdges, Connection, RunningCollector } from '../source.ts'
import { collectCluster, type ClusterLoops } from './collect.ts'
import type { Desk } from './desk.ts'
import { Endpoints } from './endpoints.ts'
import { CLUSTER_BUDGET, Gateway, nodeBudget, probeBudget } from './gateway.ts'
import type { GuestFacts } from './guest-facts.ts'
import { GuestBook } from './guests.ts'
import { SourceHealth } from './health.ts'
import { isSameCluster, toClusterEndpoints, type Member, type Membership } from './membership.ts'
import { NodeBook } from './nodes.ts'
import type { ProbePlan } from './probe-plan.ts'
import { LISTING, startPublisher } from './publish.ts'
import { openSession } from './session.ts'
import { StorageBook } from './storages.ts'
import { Tally } from './tally.ts'
import { testConnection } from './test-connection.ts'
import { watchNode, type NodeWatch } from './watch-node.ts'

/** Until then a member that cannot be reached may just have died, which the cluster takes a while to notice. */
const lostMs = 60_000

export const pve: Collector = { start, test: testConnection }

function start(connection: Connection, edges: CollectorEdges): RunningCollector {
  const { clock } = edges
  const log = edges.log.child({ connection: connection.id, instance: connection.name })
  const flags = { ...monitorFlags.pve, ...connection.flags }
  const wantsGuests = { qemu: flags.monitorVMs, lxc: flags.monitorContainers }
  const budget = new Budget(clock)
  const health = new SourceHealth(clock)
  const nodes = new NodeBook()
  const guests = new GuestBook(wantsGuests)
  const storages = new StorageBook()
  const tally = new Tally()
  const watches = new Map<string, NodeWatch>()
  const plans = new Map<number, ProbePlan>()
  let cluster: ClusterLoops | undefined
  let membership: Membership | undefined
  let fingerprints: Record<string, string> = { ...connection.memberFingerprints }
  let told: { clusterEndpoints: ClusterEndpoint[]; clusterName: string | undefined; fingerprints: string } = {
    clusterEndpoints: connection.clusterEndpoints ?? [],
    clusterName: connection.clusterName,
    fingerprints: JSON.stringify(fingerprints),
  }
  let stopped = false

  const endpoints = new Endpoints(connection, clock, (endpoint) => {
    if (endpoint.fault) {
      log.warn({ address: endpoint.url, reason: endpoint.fault.message }, 'address cannot be reached')
      if (endpoint.fault.code === 'fingerprint' && !endpoint.typed) cluster?.fingerprints.refresh()
    } else {
      log.info({ address: endpoint.url }, 'address can be reached again')
      for (const loop of cluster?.all ?? []) loop.refresh()
      if (endpoint.node !== undefined) watches.get(endpoint.node)?.retry()
    }
    publisher.soon(0)
  })
  const session = openSession(connection.auth, clock, () => budget.take(CLUSTER_BUDGET))
  const publisher = startPublisher({
    clock,
    log,
    connection,
    health,
    nodes,
    guests,
    storages,
    wantsStorage: flags.monitorStorage,
    clusterName: () => (membership ? membership.clusterName : connection.clusterName),
    isDegraded,
    observe: edges.observe,
  })
  const desk: Desk = {
    clock,
    log,
    budget,
    gateway: new Gateway({ clock, budget, endpoints, session, tally }),
    tally,
    endpoints,
    health,
    nodes,
    guests,
    storages,
    wantsStorage: flags.monitorStorage,
    wantsGuests,
    guestRrd: { known: false, askAt: 0 },
    listsByNode: () => health.failsWithAnswers(LISTING),
    isRefused: () => health.errorOf(LISTING)?.code === 'unauthorized',
    publish: (withinMs) => publisher.soon(withinMs),
  }

  /** A powered-off spare is no fault while the rest has quorum; a way lost to a living member is one. */
  function isDegraded() {
    if (membership?.clusterName === undefined) return false
    if (!membership.quorate) return true
    return endpoints.all.some(({ fault, faultAt, answered, node }) => {
      const isAlive = node !== undefined && nodes.get(node)?.online
      return fault && answered && isAlive && clock.now() - (faultAt ?? 0) >= lostMs
    })
  }

  function place() {
    const isCluster = membership ? membership.clusterName !== undefined : nodes.size > 1
    for (const name of nodes.names()) {
      nodes.learnPlace(name, {
        host: endpoints.own(name)?.url ?? (isCluster ? undefined : connection.host),
        displayName: isCluster ? name : connection.name || name,
      })
    }
  }

  function followNodes() {
    place()
    const byNode = new Map<string, GuestFacts[]>(nodes.names().map((name) => [name, []]))
    for (const guest of guests.all()) if (guest.status === 'running') byNode.get(guest.node)?.push(guest)
    for (const [name, watch] of watches) {
      if (byNode.has(name)) continue
      watches.delete(name)
      void watch.stop()
    }
    for (const [name, running] of byNode) {
      if (!watches.has(name)) watches.set(name, watchNode(desk, name, watches.size, plans))
      watches.get(name)!.syncGuests(running)
    }
    for (const vmid of plans.keys()) if (!guests.get(vmid)) plans.delete(vmid)
  }

  function tellOwner() {
    if (!membership) return
    const clusterEndpoints = toClusterEndpoints(membership, (node) => nodes.get(node)?.seenAt)
    const { clusterName } = membership
    const now = { clusterEndpoints, clusterName, fingerprints: JSON.stringify(fingerprints) }
    if (
      now.clusterName === told.clusterName &&
      now.fingerprints === told.fingerprints &&
      isSameCluster(clusterEndpoints, told.clusterEndpoints)
    ) {
      return
    }
    told = now
    edges.learned({
      ...(clusterName !== undefined && { clusterName }),
      clusterEndpoints,
      memberFingerprints: fingerprints,
    })
  }

  const members = (): Member[] => membership?.members ?? []

  const { all: loops } = (cluster = collectCluster(desk, {
    listed: followNodes,
    membership(answer) {
      membership = answer
      endpoints.setMembers(answer.clusterName === undefined ? [] : members(), fingerprints)
      place()
      tellOwner()
    },
    fingerprints(byNode) {
      fingerprints = Object.fromEntries([...byNode].sort(([a], [b]) => (a < b ? -1 : 1)))
      if (membership?.clusterName !== undefined) endpoints.setMembers(members(), fingerprints)
      place()
      tellOwner()
    },
  }))

  return {
    refresh() {
      for (const loop of loops) loop.refresh()
      for (const watch of watches.values()) watch.refresh()
    },
    totals: () => tally.totals(),
    calls: () => countCalls(connection.name, budget, nodes.names()),
    async stop() {
      if (stopped) return
      stopped = true
      publisher.stop()
      const ending = [
        ...loops.map((loop) => loop.stop()),
        ...[...watches.values()].map((watch) => watch.stop()),
      ]
      await endpoints.close()
      await Promise.all(ending)
    },
  }
}

function countCalls(name: string, budget: Budget, nodeNames: readonly string[]): ConnectionCalls {
  const nodes = nodeNames.map((node) => ({
    node,
    listCallsPerMinute: budget.count(nodeBudget(node)),
    probeCallsPerMinute: budget.count(probeBudget(node)),
    deferredCalls: budget.deferred(nodeBudget(node)) + budget.deferred(probeBudget(node)),
  }))
  const sum = (read: (entry: (typeof nodes)[number]) => number) =>
    nodes.reduce((total, entry) => total + read(entry), 0)
  return {
    name,
    listCallsPerMinute: budget.count(CLUSTER_BUDGET) + sum((entry) => entry.listCallsPerMinute),
    probeCallsPerMinute: sum((entry) => entry.probeCallsPerMinute),
    deferredCalls: budget.deferred(CLUSTER_BUDGET) + sum((entry) => entry.deferredCalls),
    nodes: Object.fromEntries(nodes.map(({ node, ...calls }) => [node, calls])),
  }
}
