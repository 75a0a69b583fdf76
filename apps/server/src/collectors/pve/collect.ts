import { AdaptiveInterval } from '../../polling/adaptive.ts'
import { backoffMs } from '../../polling/backoff.ts'
import { startLoop, type Loop } from '../../polling/loop.ts'
import { normalFingerprint } from '../certificate.ts'
import { limitsWithin } from '../proxmox/call.ts'
import { Permissions } from '../proxmox/schema.ts'
import { deadlineFor } from '../source.ts'
import { SourceError, toSourceError } from '../source-error.ts'
import { freshForListing, freshMs } from './age.ts'
import { resourcesBytes } from './client.ts'
import type { Cluster } from './cluster.ts'
import { SOON_MS, type Desk } from './desk.ts'
import { CLUSTER_BUDGET, LISTING_BUDGET } from './gateway.ts'
import { RIGHTS } from './health.ts'
import { readMembership, standalone } from './membership.ts'
import { partFailed, REFUSED_MS } from './part.ts'
import { LISTING } from './publish.ts'
import { missingForLists } from './rights.ts'
import { PveNode, PveResource, PveStorageConfig, readList, readOne } from './schema.ts'

export interface ClusterListener {
  cluster: Cluster
  /** Nodes were listed, and guests where that is possible. */
  listed: () => void
  /** The listing answers again: what failed with it need not wait out its pause. */
  back: () => void
  /** The listing failed although something answers: the nodes are to list their own guests. */
  unlisted: () => void
}

/** Ten together: the listing every ten seconds, and what is asked once a minute or a second time. */
const callsPerMinute = { listing: 6, others: 4 }
const listingMs = 10_000
/** With the rhythm of the listing: a source that falls silent is known to be so within 15 s. */
const overdueMs = 4_500
/** A timer may be that early. */
const earlyMs = 250
const minute = 60_000

export interface ClusterLoops {
  all: Loop[]
  listing: Loop
  /** asks for the certificates of the members, which may have been renewed */
  fingerprints: Loop
}

/** The loops that any member can serve. Each part fails alone, and keeps what it last knew. */
export function collectCluster(desk: Desk, listener: ClusterListener): ClusterLoops {
  const { clock, log, budget, endpoints, gateway, health, tally, nodes, guests, storages, publish } = desk
  budget.limit(LISTING_BUDGET, callsPerMinute.listing)
  budget.limit(CLUSTER_BUDGET, callsPerMinute.others)

  const hold = () => endpoints.waitMs() || budget.take(CLUSTER_BUDGET)
  const holdUnlessRefused = () => (desk.isRefused() ? REFUSED_MS : hold())
  const failed = (part: string) => (cause: unknown) => partFailed(desk, part, cause)

  /** The listing comes from memory: if it does not come, that is told before the call is given up. */
  async function inTime(path: string, options: Parameters<typeof gateway.cluster>[1]) {
    const ms = Math.max(overdueMs, 3 * (gateway.usualMs(path) ?? 0))
    const cancel = clock.after(ms, () => {
      const text = `no answer to ${path} for ${Math.round(ms / 1000)} s`
      health.overdue(LISTING, new SourceError('timeout', text))
      publish(0)
    })
    desk.load.underWay++
    return gateway.cluster(path, options).finally(() => {
      desk.load.underWay--
      cancel()
    })
  }

  let maxBytes = resourcesBytes.first
  const adaptive = new AdaptiveInterval()
  let intervalMs = listingMs
  let listedAt: number | undefined
  function nextInterval(at: number): number {
    const bounds = desk.pace().adaptive
    const ageMs = listedAt === undefined ? undefined : at - listedAt
    listedAt = at
    if (bounds) return adaptive.next(bounds, { ageMs, underWay: desk.load.underWay + 1 })
    adaptive.reset()
    return listingMs
  }
  const deadlineMs = () => deadlineFor(desk.pace())

  let failedInRow = 0
  let turnAt = -Infinity
  /** The rhythm has calls of its own; whoever looks out of turn takes one of the others, so that no turn lacks it later. */
  function holdListing(): number {
    const now = clock.monotonic()
    const leftMs = turnAt + listingMs - now
    if (leftMs > earlyMs) return budget.take(CLUSTER_BUDGET) === 0 ? 0 : leftMs
    const waitMs = budget.take(LISTING_BUDGET)
    if (waitMs === 0) turnAt = now
    return waitMs
  }

  const listing = startLoop({
    clock,
    log,
    // no more often than there are calls for: they would all be made early in the minute
    everyMs: () => Math.max(intervalMs, listingMs),
    deadlineMs,
    hold: () => endpoints.waitMs() || holdListing(),
    async run(signal) {
      const startedAt = clock.monotonic()
      const { data, at } = await inTime('/cluster/resources', {
        signal,
        limits: { ...limitsWithin(desk.pace().timeoutMs), maxBytes },
        hedges: !desk.isRefused(), // PVE lets a refused account wait for three seconds
      })
      await nextTurn()
      const resources = await readResources(data)
      const isOnline = (node: string) => nodes.get(node)?.online ?? false
      const listedNodes = resources.filter((entry) => entry.type === 'node')
      if (listedNodes.length === 0)
        throw new SourceError('bad_answer', '/cluster/resources names no node: the listing is not complete')
      intervalMs = nextInterval(at)
      const freshForMs = freshForListing(intervalMs)
      nodes.list(listedNodes.slice(0, mostNodes), at, freshForMs)
      guests.list(
        resources.filter((entry) => entry.type === 'qemu' || entry.type === 'lxc'),
        at,
        undefined,
        freshForMs,
      )
      storages.list(
        resources.filter((entry) => entry.type === 'storage'),
        at,
        isOnline,
        freshForMs,
      )
      // One failure brings nothing else down, and those calls are wanted for the next.
      const isBack = failedInRow > 1
      failedInRow = 0
      health.answered(LISTING, at)
      health.listed(at, freshForMs)
      listener.listed()
      if (isBack) listener.back()
      tally.cycled(clock.monotonic() - startedAt)
      publish(0)
    },
    failed(cause, failures) {
      failedInRow = failures
      // Several hosts that send without end must not fill our memory at once.
      if (toSourceError(cause).code === 'too_large') maxBytes = Math.min(2 * maxBytes, resourcesBytes.most)
      const wasByNode = desk.listsByNode()
      const pauseMs = failed(LISTING)(cause)
      if (!wasByNode && desk.listsByNode()) {
        fingerprints.refresh() // the list of nodes is worth more now than it was
        listener.unlisted()
      }
      // One that went wrong is made good before what it should have told grows old.
      return pauseMs ?? (failures === 1 ? backoffMs(1) / 2 : undefined)
    },
  })

  let isStandalone = false
  const membership = startLoop({
    clock,
    log,
    // On a standalone host every one of these calls leaves lines in its log.
    everyMs: () => (isStandalone ? 5 * minute : minute),
    deadlineMs,
    hold: holdUnlessRefused,
    async run(signal) {
      const { data, at, endpoint } = await gateway.cluster('/cluster/status', { signal })
      const answer = readMembership(data)
      isStandalone = answer.clusterName === undefined
      if (answer.local !== undefined) endpoints.locate(endpoint, answer.local)
      health.answered('membership', at)
      listener.cluster.learnMembership(answer)
      publish(SOON_MS)
    },
    failed(cause) {
      // Hosts that know no clusters say so in this way.
      if (toSourceError(cause).code !== 'unsupported') return failed('membership')(cause)
      isStandalone = true
      listener.cluster.learnMembership(standalone)
      publish(SOON_MS)
      return 5 * minute
    },
  })
  const fingerprints = startLoop({
    clock,
    log,
    everyMs: () => (desk.listsByNode() ? 30_000 : 5 * minute),
    deadlineMs,
    // It stands in for the listing, which needs little of its share then.
    hold: () =>
      desk.listsByNode() ? endpoints.waitMs() || budget.take(LISTING_BUDGET) : holdUnlessRefused(),
    async run(signal) {
      const { data, at } = await gateway.cluster('/nodes', { signal })
      const entries = readList(PveNode, data, '/nodes')
      nodes.list(
        entries.slice(0, mostNodes),
        at,
        desk.listsByNode() ? freshMs.nodes : freshForListing(intervalMs),
      )
      health.answered('nodes', at)
      listener.listed()
      listener.cluster.learnFingerprints(
        new Map(
          entries.flatMap((entry) => fingerprintOf(entry).map((shown) => [entry.node, shown] as const)),
        ),
      )
      publish(SOON_MS)
    },
    failed: failed('nodes'),
  })

  const storageConfig = startLoop({
    clock,
    log,
    everyMs: minute,
    firstAfterMs: 200,
    deadlineMs,
    hold: () => (desk.flags.monitorStorage ? holdUnlessRefused() : 60 * minute),
    async run(signal) {
      const { data, at } = await gateway.cluster('/storage', { signal })
      storages.configure(readList(PveStorageConfig, data, '/storage'))
      health.answered('storage configuration', at)
      publish(SOON_MS)
    },
    failed: failed('storage configuration'),
  })

  const rights = startLoop({
    clock,
    log,
    everyMs: () => (health.errorOf(RIGHTS) ? 5 * minute : 60 * minute),
    firstAfterMs: 15_000,
    deadlineMs,
    hold: holdUnlessRefused,
    async run(signal) {
      const { data, at } = await gateway.cluster('/access/permissions', { signal })
      const missing = missingForLists(readOne(Permissions, data, '/access/permissions'))
      if (missing.length === 0) health.answered(RIGHTS, at)
      else health.failed(RIGHTS, new SourceError('forbidden', missing.join('; ')))
      publish(SOON_MS)
    },
    failed: () => 5 * minute, // the lists tell what they can without it
  })

  return { all: [listing, membership, fingerprints, storageConfig, rights], listing, fingerprints }
}

const fingerprintOf = ({ ssl_fingerprint }: PveNode): string[] => {
  const fingerprint = normalFingerprint(ssl_fingerprint ?? '')
  return fingerprint.length === 64 ? [fingerprint] : []
}

/** A cluster has some dozens; what lists more does not get a watch for each. */
const mostNodes = 500

const linesPerTurn = 1_000

/** Ten thousand lines take longer to check than other sources should have to wait. */
async function readResources(data: unknown): Promise<PveResource[]> {
  if (!Array.isArray(data)) return readList(PveResource, data, '/cluster/resources')
  const resources: PveResource[] = []
  for (let index = 0; index < data.length; index += linesPerTurn) {
    resources.push(...readList(PveResource, data.slice(index, index + linesPerTurn), '/cluster/resources'))
    await nextTurn()
  }
  return resources
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
