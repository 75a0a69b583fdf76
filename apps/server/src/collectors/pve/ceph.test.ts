import { CephCluster } from '@pulse/contract'
import { expect, test } from 'vitest'
import { toCeph, derivedCeph } from './ceph.ts'
import { given } from './fixtures.ts'
import type { MapContext } from './map.ts'
import { PveStorageEntry } from './schema.ts'
import { PveCephPool, PveCephStatus } from './schema-disks.ts'

const context: MapContext = {
  source: 'c1',
  instance: 'main',
  clusterName: 'prod',
  health: 'healthy',
  wallOffset: 0,
}

const osds = { num_osds: 6, num_up_osds: 5, num_in_osds: 6 }
const reported = (more: object = {}) => ({
  fsid: 'f1',
  health: {
    status: 'HEALTH_WARN',
    checks: {
      OSD_DOWN: { severity: 'HEALTH_WARN', summary: { message: '1 osds down', count: 1 }, muted: false },
      POOL_APP: { severity: 'HEALTH_WARN', summary: { message: 'not enabled', count: 1 }, muted: true },
    },
  },
  osdmap: osds,
  pgmap: { bytes_total: 1000, bytes_used: 250, bytes_avail: 750, num_pgs: 129 },
  monmap: { mons: [{}, {}, {}] },
  quorum_names: ['a', 'b'],
  mgrmap: { active_name: 'a', standbys: [{ available_modules: [{ name: 'x'.repeat(1_000) }] }, {}] },
  servicemap: {
    services: { rgw: { daemons: { summary: '', one: { status: 'running' }, two: { status: 'stopped' } } } },
  },
  ...more,
})
function clusterOf(more: object = {}, pools?: object[]) {
  const status = PveCephStatus.parse(reported(more))
  const list = pools && { list: pools.map((pool) => PveCephPool.parse(pool)), at: 0 }
  const record = toCeph(status, list, 5, context, false)
  expect(CephCluster.safeParse(record).error).toBeUndefined()
  return record
}

test('[facts 1.16] what its state tells', () => {
  expect(clusterOf()).toEqual({
    id: 'main-f1',
    instance: 'main',
    name: 'Ceph',
    fsid: 'f1',
    health: 'HEALTH_WARN',
    healthMessage: '1 osds down',
    totalBytes: 1000,
    usedBytes: 250,
    availableBytes: 750,
    usagePercent: 25,
    numMons: 3,
    numMgrs: 3,
    numOsds: 6,
    numOsdsUp: 5,
    numOsdsIn: 6,
    numPGs: 129,
    services: [{ type: 'rgw', running: 1, total: 2, message: 'Offline: two' }],
    lastUpdated: 5,
    source: 'c1',
  })
})

test('[facts 1.16] older releases nest the map of OSDs in itself', () => {
  expect(clusterOf({ osdmap: { osdmap: osds } })).toMatchObject({ numOsds: 6, numOsdsUp: 5, numOsdsIn: 6 })
})

test('[facts 1.16] of a pool that is used what is left follows from its share; an empty one has its part of the whole', () => {
  const { pools } = clusterOf({}, [
    { pool: 1, pool_name: 'vm', bytes_used: 100, percent_used: 0.25, size: 3 },
    { pool: 2, pool_name: 'new', bytes_used: 0, percent_used: 0, size: 3 },
  ])
  expect(pools).toEqual([
    { id: 1, name: 'vm', storedBytes: 100, availableBytes: 300, objects: 0, percentUsed: 25 },
    { id: 2, name: 'new', storedBytes: 0, availableBytes: 250, objects: 0, percentUsed: 0 },
  ])
})

test('an answer that is not what it should be leaves out what it does not tell', () => {
  expect(
    clusterOf({ health: 'x', osdmap: [], pgmap: null, monmap: 3, mgrmap: 'y', servicemap: [] }),
  ).toMatchObject({
    health: 'HEALTH_UNKNOWN',
    numOsds: 0,
    totalBytes: 0,
  })
})

test('[S13] pools, daemons and warnings without end are cut', () => {
  const many = <T>(make: (n: number) => T) => Array.from({ length: 5_000 }, (_, n) => make(n))
  const daemons = { ...many(() => ({ status: 'stopped' })) }
  const cluster = clusterOf(
    {
      health: { status: 'HEALTH_ERR', checks: many((n) => ({ summary: { message: `check ${n}` } })) },
      servicemap: { services: { ...many(() => ({ daemons })) } },
    },
    many((pool) => ({ pool, pool_name: `pool${pool}` })),
  )
  expect(cluster.healthMessage).toHaveLength(1_000)
  expect(cluster.pools).toHaveLength(200)
  expect(cluster.services).toHaveLength(50)
  expect(cluster.services![0]!.message).toHaveLength(1_000)
})

test('[spec 1 §3] without telemetry it is derived from the storages on it, each once, with health unknown', () => {
  const entries = ['pve1', 'pve2'].flatMap((node) =>
    ['vm', 'files'].map((storage) =>
      PveStorageEntry.parse({ storage, node, plugintype: 'rbd', shared: 1, disk: 100, maxdisk: 400 }),
    ),
  )
  const record = derivedCeph(entries, 5, 7, context)
  expect(CephCluster.safeParse(record).error).toBeUndefined()
  expect(record).toMatchObject({
    id: 'main',
    health: 'HEALTH_UNKNOWN',
    healthMessage: expect.stringMatching(/live telemetry is unavailable/),
    usedBytes: 200,
    availableBytes: 300,
    totalBytes: 500,
    numOsds: 4,
    numPGs: 256,
    numMons: 3,
    lastUpdated: 7,
  })
})

test.concurrent(
  '[facts 1.16] Ceph of the lab: its state and pools; refused, it is derived from the storages',
  async (context) => {
    const here = await given(context, { nodes: 3, guests: 6, factor: 40, ceph: true })
    const cluster = () => here.records('cephClusters')[0]
    here.lab.control.addFault({ kind: 'status', status: 403, path: '/cluster/ceph/status' })
    const collector = here.start()
    await here.until('what is derived', () => cluster() !== undefined, 30)
    expect(cluster()).toMatchObject({ id: 'main', health: 'HEALTH_UNKNOWN', numOsds: 4 })
    here.lab.control.clearFaults()
    collector.refresh()
    await here.until('the pools', () => (cluster()?.pools?.length ?? 0) > 0, 200)
    expect(here.records('cephClusters')).toHaveLength(1)
    expect(cluster()).toMatchObject({ health: 'HEALTH_OK', numOsds: 6, numOsdsUp: 6, numMons: 3 })
    here.lab.control.patchCluster({
      ceph: { checks: { OSD_FULL: { severity: 'HEALTH_ERR', message: '1 full osd(s)' } } },
    })
    await here.until('the alarm', () => cluster()?.health === 'HEALTH_ERR', 200)
    expect(cluster()!.healthMessage).toContain('1 full osd(s)')
  },
)
