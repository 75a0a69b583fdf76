import type { ClusterEndpoint } from '@pulse/contract'
import type { Clock, Connection, LearnedCluster } from '@pulse/domain'
import type { Endpoints } from './endpoints.ts'
import { isSameCluster, memberUrl, toClusterEndpoints, type Membership } from './membership.ts'
import type { NodeCache } from './nodes.ts'

export interface ClusterEdges {
  clock: Clock
  /** offset from monotonic time to epoch ms */
  wallOffset: () => number
  connection: Connection
  endpoints: Endpoints
  nodes: NodeCache
  learned: (cluster: LearnedCluster) => void
}

/** Until then an unreachable member may have just died. A cluster takes a while to notice that. */
const lostMs = 60_000

/** The cluster's own data: its members, their addresses and their certificates. */
export class Cluster {
  readonly #edges: ClusterEdges
  #membership: Membership | undefined
  #fingerprints: Record<string, string>
  #hasFingerprints = false
  #learned: LearnedCluster
  /** Nodes listed as online: the start of the uninterrupted time, and the end of its freshness. */
  readonly #alive = new Map<string, { since: number; knownUntil: number }>()

  constructor(edges: ClusterEdges) {
    const { clusterName, clusterEndpoints = [], memberFingerprints = {} } = edges.connection
    this.#edges = edges
    this.#fingerprints = memberFingerprints
    this.#learned = {
      ...(clusterName !== undefined && { clusterName }),
      clusterEndpoints,
      memberFingerprints,
    }
  }

  get name(): string | undefined {
    return this.#membership ? this.#membership.clusterName : this.#edges.connection.clusterName
  }

  /** undefined while unknown, because the call needs a separate right */
  get isCluster(): boolean | undefined {
    if (this.name !== undefined || this.#edges.nodes.size > 1) return true
    return this.#membership && false
  }

  learnMembership(membership: Membership): void {
    this.#membership = membership
    this.#apply()
  }

  learnFingerprints(byNode: ReadonlyMap<string, string>): void {
    this.#fingerprints = Object.fromEntries([...byNode].sort(([a], [b]) => (a < b ? -1 : 1)))
    this.#hasFingerprints = true
    this.#apply()
  }

  /** Passes display names and addresses to the nodes. */
  updateNodes(): void {
    const { endpoints, nodes, connection } = this.#edges
    const { isCluster } = this
    for (const name of this.#alive.keys()) if (!nodes.get(name)) this.#alive.delete(name)
    for (const name of nodes.names()) {
      this.#follow(name)
      const address = this.#membership?.members.find((member) => member.name === name)?.address
      const own = endpoints.own(name)?.url
      nodes.learnIdentity(name, {
        host: own ?? (isCluster ? address && memberUrl(address) : connection.host),
        displayName: isCluster ? name : connection.name || name,
      })
    }
  }

  /**
   * A powered-off spare is no fault while the others have quorum. A lost address of a running member is a
   * fault, once it was tried in vain and the member has been up for a while.
   */
  isDegraded(): boolean {
    const { endpoints, nodes } = this.#edges
    if (this.#membership?.clusterName === undefined) return false
    if (!this.#membership.quorate) return true
    return endpoints.all.some(({ fault, faultAt = 0, triedAt = 0, answered, node }) => {
      const alive = node !== undefined && nodes.get(node)?.online ? this.#alive.get(node) : undefined
      return fault && answered && alive && triedAt - Math.max(faultAt, alive.since) >= lostMs
    })
  }

  /** If a node returns, or is listed again after a gap, its lost address is tried at once. */
  #follow(node: string): void {
    const { nodes, endpoints } = this.#edges
    const { online, seenAt, freshUntil } = nodes.get(node) ?? {}
    if (!online || seenAt === undefined || freshUntil === undefined) return
    const known = this.#alive.get(node)
    const isBack = known !== undefined && seenAt > known.knownUntil
    this.#alive.set(node, { since: known && !isBack ? known.since : seenAt, knownUntil: freshUntil })
    if (isBack) endpoints.retry(node)
  }

  #apply(): void {
    const members = this.name === undefined ? [] : (this.#membership?.members ?? [])
    if (this.#membership) this.#edges.endpoints.setMembers(members, this.#fingerprints)
    this.updateNodes()
    this.#tellOwner()
  }

  /** Waits until both parts are known. Calls again when anything but the time of contact changes. */
  #tellOwner(): void {
    if (!this.#membership || !this.#hasFingerprints) return
    const { clusterName } = this.#membership
    const { nodes, wallOffset } = this.#edges
    const clusterEndpoints: ClusterEndpoint[] = toClusterEndpoints(this.#membership, (node) => {
      const facts = nodes.get(node)
      return facts?.seenAt === undefined ? undefined : facts.seenAt + wallOffset()
    })
    const now: LearnedCluster = {
      ...(clusterName !== undefined && { clusterName }),
      clusterEndpoints,
      memberFingerprints: clusterName === undefined ? {} : this.#fingerprints,
    }
    const isKnown =
      clusterName === this.#learned.clusterName &&
      isSameCluster(clusterEndpoints, this.#learned.clusterEndpoints) &&
      JSON.stringify(now.memberFingerprints) === JSON.stringify(this.#learned.memberFingerprints)
    if (isKnown) return
    this.#learned = now
    this.#edges.learned(now)
  }
}
