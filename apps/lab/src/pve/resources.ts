import type { Cluster, Guest, Node, Storage } from '../estate/estate.ts'
import { isEnabledOn } from '../load/storage-reading.ts'
import type { Rights } from '../access/access.ts'
import { guestFragment } from './guest-fragment.ts'
import { nodeFigures } from './member.ts'
import { Serialised } from '../api/reply.ts'
import type { Call, Route, PveWorld } from './route.ts'

export const resourceRoutes: readonly Route[] = [
  { path: '/cluster/resources', query: { type: ['vm', 'storage', 'node', 'sdn'] }, answer: resources },
]

interface Kept {
  atMs: number
  revision: number
  answers: Map<string, Serialised>
}

/** Callers with the same rights share the answer until the next refresh or change. */
const kept = new WeakMap<Cluster, Kept>()

function resources({ world, cluster, rights, params }: Call): Serialised {
  const atMs = world.readings.atMs()
  let current = kept.get(cluster)
  if (current?.atMs !== atMs || current.revision !== cluster.revision) {
    current = { atMs, revision: cluster.revision, answers: new Map() }
    kept.set(cluster, current)
  }
  const type = params.type ?? ''
  const key = `${type} ${rights.key}`
  let answer = current.answers.get(key)
  if (!answer) {
    answer = new Serialised(serialise(world, cluster, rights, type))
    current.answers.set(key, answer)
  }
  return answer
}

function serialise(world: PveWorld, cluster: Cluster, rights: Rights, type: string): Buffer {
  const wants = (kind: string) => type === '' || type === kind
  const parts: string[] = []
  if (wants('vm')) addGuests(parts, world, cluster, rights)
  if (wants('node'))
    for (const node of cluster.nodes) parts.push(JSON.stringify(nodeEntry(world, node, rights)))
  if (wants('storage')) {
    for (const node of cluster.nodes) {
      for (const storage of cluster.storages) {
        const entry = storageEntry(world, storage, node, rights)
        if (entry) parts.push(JSON.stringify(entry))
      }
    }
  }
  if (wants('sdn')) {
    for (const node of cluster.nodes) parts.push(JSON.stringify(zoneEntry(cluster, node)))
  }
  return Buffer.from(`{"data":[${parts.join(',')}]}`)
}

function addGuests(parts: string[], world: PveWorld, cluster: Cluster, rights: Rights): void {
  for (const guest of cluster.guests.values()) {
    if (mayAudit(rights, guest)) parts.push(guestFragment(guest, world.readings))
  }
}

export const mayAudit = (rights: Rights, guest: Guest): boolean =>
  rights.has(`/vms/${guest.vmid}`, 'VM.Audit')

export const mayAuditStorage = (rights: Rights, storage: Storage): boolean => {
  const privileges = rights.at(`/storage/${storage.name}`)
  return privileges.has('Datastore.Audit') || privileges.has('Datastore.AllocateSpace')
}

function nodeEntry(world: PveWorld, node: Node, rights: Rights) {
  return {
    ...nodeFigures(world, node, rights),
    ...(node.online && { 'cgroup-mode': 2 }),
    ...(node.online && node.cluster.release.major === 9 && { 'host-arch': 'x86_64' }),
  }
}

function storageEntry(world: PveWorld, storage: Storage, node: Node, rights: Rights) {
  if (!isEnabledOn(storage, node) || !rights.has(`/storage/${storage.name}`, 'Datastore.Audit'))
    return undefined
  const { active, usedBytes, totalBytes } = world.readings.storage(storage, node)
  const known = active && node.online
  return {
    id: `storage/${node.name}/${storage.name}`,
    type: 'storage',
    storage: storage.name,
    node: node.name,
    plugintype: storage.type,
    status: known ? 'available' : 'unknown',
    shared: Number(storage.shared),
    content: storage.content.join(','),
    ...(known && { disk: usedBytes, maxdisk: totalBytes }),
  }
}

function zoneEntry(cluster: Cluster, node: Node) {
  const status = node.online ? 'ok' : 'unknown'
  if (cluster.release.major < 9) {
    return { id: `sdn/${node.name}/localnetwork`, type: 'sdn', sdn: 'localnetwork', node: node.name, status }
  }
  return {
    id: `network/${node.name}/zone/localnetwork`,
    type: 'network',
    network: 'localnetwork',
    'network-type': 'zone',
    'zone-type': 'localnetwork',
    node: node.name,
    status,
  }
}
