import type { GatewayNode, MailGateway } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import type { HostPart, RecordContext } from '../proxmox/host-part.ts'
import { shownAt } from '../publish-source.ts'
import { readList } from '../proxmox/schema.ts'
import { SourceError, toSourceError } from '../source-error.ts'
import { type PmgCache, reachable } from './cache.ts'
import { PmgClusterMember, PmgNode } from './schema.ts'

/** Without the parameter a standalone gateway lists no member. */
const PATH = '/config/cluster/status?list_single_node=1'
/** The gateway queries every member and waits for those that are offline. */
const limits = { waitMs: 10_000, headersMs: 45_000, totalMs: 60_000, maxBytes: 4 * 1024 * 1024 }
/** A smaller change of the computed start time is a clock correction and not a restart. */
const startSlackMs = 5_000
/** A real cluster has a few members. Each one is queried. */
const mostMembers = 50

const entryOf = (node: string) => `node ${node}`

/** The gateway and its cluster, as one record. */
export const gateway: HostPart<PmgCache> = {
  name: 'gateway',
  calls: { perLook: 1 },
  kinds: ['pmg'],
  start({ cache, clock, get, health, counts, wake }) {
    let published: ReadonlyMap<string, MailGateway> = new Map()

    function take(listed: readonly PmgClusterMember[]) {
      const rows = listed.slice(0, mostMembers)
      const before = reachable(cache)
      cache.members = { rows, at: clock.monotonic() }
      counts(rows.length)
      health.forgetAll(
        (what) => what.startsWith(entryOf('')) && !rows.some(({ name }) => what === entryOf(name)),
      )
      for (const { name, conn_error } of rows) {
        if (conn_error === undefined) health.answered(entryOf(name))
        else health.failed(entryOf(name), new SourceError('node_offline', conn_error))
      }
      if (reachable(cache).every((node) => before.includes(node))) return
      wake('queues')
      wake('backups')
    }

    return {
      loops: [
        {
          name: 'cluster nodes',
          right: 'Auditor',
          deadlineMs: () => limits.totalMs + limits.waitMs,
          async run(signal) {
            try {
              take(readList(PmgClusterMember, await get(PATH, signal, { limits }), PATH))
            } catch (cause) {
              if (toSourceError(cause).isRefusal && !cache.members) {
                // At least the gateway's own name, so that other parts can query it.
                const rows = readList(PmgNode, await get('/nodes', signal), '/nodes')
                take(rows.map(({ node: name }) => ({ name })))
              }
              throw cause
            }
          },
        },
      ],
      records(context) {
        const before = published.get(context.source)
        const record = toGateway(cache, context, before)
        if (!before || !isEqual(before, record)) published = new Map([[context.source, record]])
        return { pmg: published }
      },
      stop: () => health.forgetAll((what) => what.startsWith(entryOf(''))),
    }
  },
}

function toGateway(cache: PmgCache, context: RecordContext, before: MailGateway | undefined): MailGateway {
  const { source, name, host, version, health } = context
  const { members, mail, quarantine, domains } = cache
  const fingerprint = members?.rows.find(({ type }) => type === 'master')?.fingerprint
  const nodes = members?.rows.map((row) => {
    const known = before?.nodes?.find((node) => node.name === row.name)
    return toNode(row, members.at, cache, context, known)
  })
  return {
    id: `pmg-${name}`,
    name,
    host,
    // The state marks the gateway when it does not answer.
    status: 'online',
    version: version ?? '',
    connectionHealth: health,
    lastUpdated: new Date(context.answeredAt).toISOString(),
    ...mail,
    ...(quarantine && { quarantine }),
    ...(domains && { domains: [...domains] }),
    ...(nodes && nodes.length > 0 && { nodes }),
    ...(fingerprint !== undefined && { cluster: { fingerprint } }),
    source,
  }
}

function toNode(
  { name, type, conn_error: lost, uptime, loadavg }: PmgClusterMember,
  at: number,
  { queues }: PmgCache,
  context: RecordContext,
  before: GatewayNode | undefined,
): GatewayNode {
  const queue = queues.get(name)
  const error = lost ?? queue?.error
  const startedAt = uptime === undefined ? undefined : shownAt(at, context) - uptime * 1000
  const isSameRun =
    startedAt !== undefined &&
    before?.startedAt !== undefined &&
    Math.abs(startedAt - before.startedAt) < startSlackMs
  return {
    name,
    role: type === undefined || type === '-' ? 'standalone' : type,
    status: lost === undefined ? 'online' : 'offline',
    ...(error !== undefined && { error }),
    ...(startedAt !== undefined && { startedAt: isSameRun ? before!.startedAt : startedAt }),
    loadAvg: (loadavg ?? []).join(' '),
    ...(queue?.status &&
      queue.at !== undefined && {
        queueStatus: {
          ...queue.status,
          ...(queue.oldestAt !== undefined && { oldestAt: shownAt(queue.oldestAt, context) }),
          updatedAt: new Date(shownAt(queue.at, context)).toISOString(),
        },
        ...(error !== undefined && { staleSince: shownAt(queue.at, context) }),
      }),
  }
}
