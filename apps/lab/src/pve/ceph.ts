import { ApiError } from '../api/api-error.ts'
import { Serialised } from '../api/reply.ts'
import type { Ceph, Node } from '../estate/estate.ts'
import { slotNoise } from '../load/curve.ts'
import { cephHealth, downOsds, upMonitors } from './ceph-health.ts'
import { managerMap } from './ceph-manager.ts'
import { memberOf } from './member.ts'
import { needs } from './route.ts'
import type { Call, Route } from './route.ts'

const mayRead = needs('/', 'Sys.Audit', 'Datastore.Audit')
const mostMonitors = 5

export const cephRoutes: readonly Route[] = [
  { path: '/cluster/ceph/status', missing: mayRead, answer: status },
  { path: '/nodes/{node}/ceph/status', missing: mayRead, answer: status },
  { path: '/nodes/{node}/ceph/pool', missing: mayRead, answer: pools },
  { path: '/nodes/{node}/ceph/pools', until: 7, missing: mayRead, answer: pools },
  { path: '/nodes/{node}/ceph/osd', missing: mayRead, answer: osdTree },
]

/** Throws unless Ceph is installed and has a quorum of monitors. */
async function installed(call: Call): Promise<Ceph> {
  const { ceph } = call.cluster
  if (!ceph) throw new ApiError(500, 'binary not installed: /usr/bin/ceph-mon')
  const monitors = monitorsOf(ceph)
  if (upMonitors(monitors).length * 2 <= monitors.length) {
    await call.pause(call.world.settings.giveUpMs)
    throw new ApiError(500, "got timeout: command 'ceph status' did not answer")
  }
  return ceph
}

const monitorsOf = ({ osds }: Ceph): Node[] =>
  [...new Set(osds.map(({ node }) => node))].slice(0, mostMonitors)

function usageOf(ceph: Ceph, nowMs: number) {
  const total = ceph.osds.reduce((sum, { bytes }) => sum + bytes, 0)
  const share =
    ceph.pins.used ?? 0.35 + 0.2 * slotNoise(ceph.seed, 0, 1) + 0.01 * slotNoise(ceph.seed, nowMs, 3_600_000)
  const used = Math.floor(total * share)
  return { total, used, avail: total - used }
}

async function status(call: Call) {
  const ceph = await installed(call)
  const { world, cluster } = call
  const nowMs = world.settings.now()
  const monitors = monitorsOf(ceph)
  const up = upMonitors(monitors)
  const down = downOsds(ceph)
  const { total, used, avail } = usageOf(ceph, nowMs)
  const pgs = ceph.pools.reduce((sum, { pgs: count }) => sum + count, 0)
  const osds = {
    epoch: 33_867,
    num_osds: ceph.osds.length,
    num_up_osds: ceph.osds.length - down.length,
    osd_up_since: Math.floor(nowMs / 1000) - 86_400,
    num_in_osds: ceph.osds.length,
    osd_in_since: Math.floor(nowMs / 1000) - 86_400,
    num_remapped_pgs: 0,
  }
  const busy = slotNoise(ceph.seed ^ 1, nowMs, 10_000)
  const small = {
    fsid: ceph.fsid,
    health: cephHealth(ceph, monitors),
    election_epoch: 5412,
    quorum: up.map((node) => monitors.indexOf(node)),
    quorum_names: up.map(({ name }) => name),
    quorum_age: 2_408_307,
    monmap: monitorMap(ceph, monitors),
    // Up to Nautilus, the map is nested in itself.
    osdmap: cluster.release.major === 7 ? { osdmap: osds } : osds,
    pgmap: {
      pgs_by_state: placementStates(pgs, down.length, ceph.osds.length),
      num_pgs: pgs,
      num_pools: ceph.pools.length,
      num_objects: Math.floor(used / 3 / 3_600_000),
      data_bytes: Math.floor(used / 3),
      bytes_used: used,
      bytes_avail: avail,
      bytes_total: total,
      // Ceph omits rates while the cluster is idle.
      ...(busy > 0.1 && {
        read_bytes_sec: Math.floor(busy * 4_000_000),
        write_bytes_sec: Math.floor(busy * 2_700_000),
        read_op_per_sec: Math.floor(busy * 90),
        write_op_per_sec: Math.floor(busy * 211),
      }),
    },
    fsmap: fileSystems(monitors),
    progress_events: {},
    servicemap: { epoch: 1_255_207, modified: new Date(nowMs).toISOString(), services: {} },
  }
  // The larger part by far never changes, so it is serialised once.
  const text = `{"data":${JSON.stringify(small).slice(0, -1)},"mgrmap":${managerMap(ceph, monitors)}}}`
  return new Serialised(Buffer.from(text))
}

function placementStates(pgs: number, down: number, osds: number) {
  if (down === 0) return [{ state_name: 'active+clean', count: pgs }]
  const degraded = Math.min(pgs, Math.ceil((pgs * 3 * down) / osds))
  const clean = pgs - degraded
  return [
    ...(clean > 0 ? [{ state_name: 'active+clean', count: clean }] : []),
    { state_name: 'active+undersized+degraded', count: degraded },
  ]
}

function monitorMap({ fsid }: Ceph, monitors: readonly Node[]) {
  return {
    epoch: 7,
    fsid,
    modified: '2024-10-11T11:47:35.121704Z',
    created: '2021-09-14T09:08:27.544584Z',
    min_mon_release: 18,
    min_mon_release_name: 'reef',
    election_strategy: 1,
    'disallowed_leaders: ': '',
    stretch_mode: false,
    tiebreaker_mon: '',
    'removed_ranks: ': '',
    features: { persistent: ['quincy', 'reef'], optional: [] },
    num_mons: monitors.length,
    mons: monitors.map(({ name, address }, rank) => ({
      rank,
      name,
      public_addrs: {
        addrvec: [
          { type: 'v2', addr: `${address}:3300`, nonce: 0 },
          { type: 'v1', addr: `${address}:6789`, nonce: 0 },
        ],
      },
      addr: `${address}:6789/0`,
      public_addr: `${address}:6789/0`,
      priority: 0,
      weight: 0,
      crush_location: '{}',
    })),
    quorum: upMonitors(monitors).map((node) => monitors.indexOf(node)),
  }
}

const fileSystems = (monitors: readonly Node[]) => ({
  epoch: 921,
  id: 2,
  up: 1,
  in: 1,
  max: 1,
  by_rank: [
    {
      filesystem_id: 2,
      rank: 0,
      name: (upMonitors(monitors)[0] ?? monitors[0]!).name,
      status: 'up:active',
      gid: 179_774_420,
    },
  ],
  'up:standby': Math.max(0, upMonitors(monitors).length - 1),
})

async function pools(call: Call) {
  const ceph = await installed(call)
  const { used, avail } = usageOf(ceph, call.world.settings.now())
  return ceph.pools.map(({ id, name, size, pgs, application, share }) => {
    const bytes = Math.floor(used * share)
    return {
      pool: id,
      pool_name: name,
      type: 'replicated',
      size,
      min_size: 2,
      pg_num: pgs,
      pg_num_final: pgs,
      pg_autoscale_mode: 'on',
      crush_rule: 0,
      crush_rule_name: 'replicated_rule',
      bytes_used: bytes,
      // A fraction, despite its name.
      percent_used: bytes / (bytes + avail),
      application_metadata: { [application]: {} },
      autoscale_status: {},
    }
  })
}

async function osdTree(call: Call) {
  const ceph = await installed(call)
  const down = new Set(downOsds(ceph))
  const { total, used } = usageOf(ceph, call.world.settings.now())
  const byHost = Map.groupBy(ceph.osds, ({ node }) => node)
  const tib = 1024 ** 4
  const hosts = [...byHost].map(([node, osds], index) => ({
    id: -3 - index * 2,
    name: node.name,
    type: 'host',
    leaf: 0,
    status: 'up',
    crush_weight: osds.reduce((sum, { bytes }) => sum + bytes / tib, 0),
    children: osds.map(({ id, bytes }) => ({
      id,
      name: `osd.${id}`,
      type: 'osd',
      host: node.name,
      leaf: 1,
      status: down.has(id) ? 'down' : 'up',
      in: 1,
      device_class: 'ssd',
      blfsdev: '',
      osdtype: 'bluestore',
      crush_weight: bytes / tib,
      reweight: 1,
      pgs: 60 + (id % 7),
      total_space: bytes,
      bytes_used: Math.floor((bytes * used) / total),
      percent_used: (100 * used) / total,
      commit_latency_ms: 0,
      apply_latency_ms: 0,
    })),
  }))
  const root = { id: -1, name: 'default', type: 'root', leaf: 0, children: hosts }
  return {
    flags: 'sortbitwise,recovery_deletes,purged_snapdirs',
    root: { leaf: 0, children: [root] },
    host: memberOf(call).name,
  }
}
