import type { CephCluster } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import type { SourceError } from '../source-error.ts'
import { freshMs } from './age.ts'
import { derivedCeph, toCeph, type CephPools } from './ceph.ts'
import type { MapContext } from './map.ts'
import type { Part } from './part.ts'
import { readList, readOne, type PveStorageEntry } from './schema.ts'
import { PveCephPool, PveCephStatus } from './schema-disks.ts'

const NAME = 'ceph'
const minute = 60_000
const intervalMs = 2 * minute
const poolsIntervalMs = 10 * minute
/** Without Ceph storages no call is made. */
const idleMs = 10_000
/** 0.7 MB with three managers, mostly about module options, which are dropped at once. */
const limits = { headersMs: 15_000, totalMs: 20_000, maxBytes: 4 * 1024 * 1024 }
/** The storages belong to another cluster's Ceph, about which this cluster has no data. */
const absentMs = 30 * minute
const isElsewhere = ({ code, said }: SourceError) =>
  code === 'unsupported' || (code === 'server' && /not installed|not initialized|rados_connect/.test(said))
const cephTypes = new Set(['rbd', 'cephfs', 'ceph'])

/** The Ceph cluster of the storages: its state and pools, or the storages' figures if it does not answer. */
export const ceph: Part = {
  name: NAME,
  flags: ['monitorStorage'],
  calls: { perMinute: 0.6 },
  kinds: ['cephClusters'],
  start(context) {
    const { gateway, nodes } = context
    let status: { value: PveCephStatus; at: number } | undefined
    let pools: CephPools | undefined
    let isLost = false
    /** remaining first reads, one per call */
    let firsts = 2
    let storages: readonly PveStorageEntry[] = []
    let listedAt = 0
    let published: ReadonlyMap<string, CephCluster> = new Map()

    function toRecord(context: MapContext, now: number): CephCluster | undefined {
      if (storages.length === 0) return undefined
      if (!status) return derivedCeph(storages, nodes.size, listedAt, context)
      const isOld = isLost || now > status.at + intervalMs + freshMs.late
      return toCeph(status.value, pools, status.at, context, isOld)
    }

    const hold = () => (storages.length > 0 && !context.listsByNode() ? 0 : idleMs)
    /** A node with such a storage has Ceph's tools. */
    const host = () => storages.find(({ node }) => nodes.get(node)?.online)?.node

    return {
      loops: [
        {
          name: NAME,
          intervalMs,
          firstAfterMs: 1_500,
          deadlineMs: limits.totalMs + 5_000,
          hold,
          pay: () => context.budget.source.takeOrFirst(NAME, !status && firsts-- > 0),
          async run(signal) {
            const { data, at } = await gateway.cluster('/cluster/ceph/status', { signal, limits })
            status = { value: readOne(PveCephStatus, data, '/cluster/ceph/status'), at }
            isLost = false
            return at
          },
          failed(error, failures, report) {
            isLost = failures >= 2
            return isElsewhere(error) ? absentMs : (report() ?? minute)
          },
        },
        {
          name: 'ceph pools',
          intervalMs: poolsIntervalMs,
          firstAfterMs: 2_500,
          deadlineMs: limits.totalMs + 5_000,
          hold: () => hold() || (status && host() !== undefined ? 0 : idleMs),
          pay: () => context.budget.source.takeOrFirst(NAME, !pools && firsts-- > 0),
          async run(signal) {
            const pay = () => context.budget.source.take(NAME)
            const { data, at } = await gateway.node(host()!, '/ceph/pool', { signal, limits, pay })
            pools = { list: readList(PveCephPool, data, '/ceph/pool'), at }
            return at
          },
          failed: (error, _failures, report) => (isElsewhere(error) ? absentMs : (report() ?? minute)),
        },
      ],
      listed(listing) {
        listedAt = listing.at
        storages = listing.storages.filter(({ plugintype = '' }) => cephTypes.has(plugintype))
      },
      records(context, now) {
        const record = toRecord(context, now)
        const [before] = published.values()
        // A record that differs only in its date counts as unchanged.
        if (!record || !before || !isEqual({ ...before, lastUpdated: record.lastUpdated }, record) || status)
          published = isEqual(before, record)
            ? published
            : new Map(record && [[record.fsid ?? record.source, record]])
        return { cephClusters: published }
      },
    }
  },
}
