import { touchCluster } from '../estate/estate.ts'
import { unpinServer } from './appliance-patch.ts'
import { createApplianceControl } from './appliances.ts'
import type { ApplianceControl } from './appliances.ts'
import type { Fault, FaultSpec } from '../faults/faults.ts'
import type { Fleet } from '../fleet.ts'
import type { RequestCounts, RequestFilter } from '../requests.ts'
import type { World } from '../world.ts'
import {
  aListOfTexts,
  aNumber,
  aRecordOfTexts,
  aText,
  anInteger,
  check,
  ControlError,
  oneOf,
} from './check.ts'
import { createDockerControl } from './docker.ts'
import type { DockerControl } from './docker.ts'
import { findCluster, findNode } from './find.ts'
import { unpinGuest } from './guest-pins.ts'
import { createGuestControl } from './guests.ts'
import type { GuestControl } from './guests.ts'
import { createClusterControl } from './clusters.ts'
import type { ClusterControl } from './clusters.ts'
import { createScenarioControl } from './scenarios.ts'
import type { ScenarioControl } from './scenarios.ts'
import { summarise } from './summary.ts'
import type { Summary } from './summary.ts'

/** Changes apply to the next answer. An invalid change throws a `ControlError`. */
export interface LabControl
  extends GuestControl, ClusterControl, ApplianceControl, DockerControl, ScenarioControl {
  addFault(spec: FaultSpec): Fault
  faults(): Fault[]
  removeFault(id: number): void
  clearFaults(): void
  requests(filter?: RequestFilter): RequestCounts
  resetRequests(): void
  summary(): Summary
  /** Ends all faults, restores nodes, quorum, rights and agents, and releases all pinned figures. */
  reset(): Promise<void>
}

export function createControl(world: World, fleet: Fleet): LabControl {
  const { estate, appliances, faults, requests, readings } = world
  const steering = {
    ...createGuestControl(world),
    ...createClusterControl(world, fleet),
    ...createApplianceControl(world, fleet),
    ...createDockerControl(world),
    addFault(spec: FaultSpec) {
      checkFault(spec)
      const isAppliance = [spec.cluster, spec.node].some((name) =>
        appliances.some((one) => one.name === name),
      )
      if (isAppliance) return faults.add(spec)
      const cluster = spec.cluster === undefined ? undefined : findCluster(estate, spec.cluster)
      if (
        spec.node !== undefined &&
        !estate.clusters.some((one) => one.nodes.some(({ name }) => name === spec.node))
      ) {
        findNode(cluster ?? findCluster(estate, undefined), spec.node)
      }
      return faults.add(spec)
    },
  }
  return {
    ...steering,
    ...createScenarioControl(world, steering),
    faults: () => faults.list(),
    removeFault(id) {
      if (!faults.remove(id)) throw new ControlError(404, `no fault ${id}`)
    },
    clearFaults: () => faults.clear(),
    requests: (filter) => requests.counts(filter),
    resetRequests: () => requests.reset(),
    summary: () => summarise(world),
    async reset() {
      await world.course.reset()
      faults.clear()
      for (const cluster of estate.clusters) {
        cluster.quorate = true
        for (const token of cluster.access.tokens.values()) {
          token.dropped = new Set()
          token.enabled = true
        }
        if (cluster.ceph) cluster.ceph.pins = {}
        for (const { pins } of cluster.storages) pins.clear()
        for (const guest of cluster.guests.values()) unpinGuest(guest, readings.atMs())
        for (const node of cluster.nodes) {
          node.pins = {}
          await fleet.setOnline(node, true)
        }
        touchCluster(cluster)
      }
      for (const { server } of world.pbs) unpinServer(server)
      for (const { gateway } of world.pmg) gateway.queues.clear()
      for (const appliance of appliances) {
        for (const token of appliance.tokens.values()) {
          token.dropped = new Set()
          token.enabled = true
        }
        await fleet.setOnline(appliance, true)
      }
      steering.resetDocker()
    },
  }
}

function checkFault(spec: FaultSpec): void {
  check<FaultSpec>('fault', spec, {
    kind: oneOf(
      'latency',
      'hang',
      'reset',
      'dribble',
      'crumbs',
      'huge',
      'broken-json',
      'html',
      'status',
      'texts',
    ),
    cluster: aText,
    node: aText,
    path: aText,
    query: aRecordOfTexts,
    times: anInteger(1),
    ms: anInteger(0, 3_600_000),
    status: anInteger(400, 599),
    text: aText,
    bytes: anInteger(1, 10_000_000_000),
    bytesPerSecond: aNumber(0.1, 1000),
    fields: aListOfTexts,
    texts: aListOfTexts,
  })
  if (spec.kind === undefined) throw new ControlError(400, 'fault.kind is missing')
  if (spec.kind === 'latency' && spec.ms === undefined) throw new ControlError(400, 'fault.ms is missing')
}
