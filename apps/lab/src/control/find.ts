import type { Cluster, Estate, Guest, Node, Storage } from '../estate/estate.ts'
import { ControlError } from './check.ts'

/** Without a name: the first cluster. */
export function findCluster(estate: Estate, name: string | undefined): Cluster {
  const cluster = name === undefined ? estate.clusters[0] : estate.clusters.find((one) => one.name === name)
  if (!cluster) throw new ControlError(404, `no cluster ${name}; there is ${listOf(estate.clusters)}`)
  return cluster
}

export function findNode(cluster: Cluster, name: string): Node {
  const node = cluster.nodes.find((one) => one.name === name)
  if (!node)
    throw new ControlError(404, `no node ${name} in ${cluster.name}; there is ${listOf(cluster.nodes)}`)
  return node
}

/** Without a cluster's name: in the first cluster, otherwise in the only one with such a node. */
export function locateNode(estate: Estate, name: string, clusterName: string | undefined): Node {
  const first = findCluster(estate, clusterName)
  if (clusterName === undefined && !first.nodes.some((node) => node.name === name)) {
    const matches = estate.clusters.flatMap(({ nodes }) => nodes.filter((node) => node.name === name))
    if (matches.length === 1) return matches[0]!
  }
  return findNode(first, name)
}

export function findGuest(cluster: Cluster, vmid: number): Guest {
  const guest = cluster.guests.get(vmid)
  if (!guest) throw new ControlError(404, `no guest ${vmid} in ${cluster.name}`)
  return guest
}

export function findStorage(cluster: Cluster, name: string): Storage {
  const storage = cluster.storages.find((one) => one.name === name)
  if (!storage)
    throw new ControlError(404, `no storage ${name} in ${cluster.name}; there is ${listOf(cluster.storages)}`)
  return storage
}

const listOf = (named: readonly { name: string }[]): string =>
  named
    .slice(0, 10)
    .map(({ name }) => name)
    .join(', ')
