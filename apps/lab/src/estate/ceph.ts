import { dice, hash, seededUuid } from '../random.ts'
import type { Disk } from './disks.ts'
import type { CephPool, Cluster, Osd } from './estate.ts'

const osdsPerNode = 2
const osdBytes = 1_920_383_410_176

/** Two OSDs on each node; their disks are added to the disks of the node. */
export function installCeph(cluster: Cluster, seed: number): void {
  const cephSeed = hash(`${seed}/${cluster.name}/ceph`)
  const osds: Osd[] = []
  for (const node of cluster.nodes) {
    const draw = dice(node.seed ^ 4)
    for (let index = 0; index < osdsPerNode; index++) {
      const osd = { id: osds.length, node, bytes: osdBytes }
      osds.push(osd)
      node.disks.push(osdDisk(osd, index, draw.hex(12).toUpperCase(), draw.int(55, 99), draw.int(28, 41)))
    }
  }
  const pool = (
    id: number,
    name: string,
    application: CephPool['application'],
    pgs: number,
    share: number,
  ) => ({
    id,
    name,
    size: 3,
    pgs,
    application,
    share,
  })
  cluster.ceph = {
    fsid: seededUuid(cephSeed),
    seed: cephSeed,
    osds,
    pools: [
      pool(1, '.mgr', 'mgr', 1, 0.0001),
      pool(2, 'ceph-vm', 'rbd', 128, 0.82),
      pool(3, 'cephfs_data', 'cephfs', 64, 0.178),
      pool(4, 'cephfs_metadata', 'cephfs', 16, 0.0019),
    ],
    pins: {},
  }
}

const osdDisk = ({ id }: Osd, index: number, serial: string, wearout: number, temperature: number): Disk => ({
  devpath: `/dev/sd${'fg'[index]!}`,
  type: 'ssd',
  model: 'SAMSUNG MZ7L31T9HBLT-00A07',
  vendor: 'ATA     ',
  serial: `S6ES${serial}`,
  wwn: `0x5${hash(serial).toString(16).padStart(15, '0')}`,
  sizeBytes: osdBytes,
  rpm: 0,
  used: 'LVM',
  health: 'PASSED',
  wearout,
  temperatureCelsius: temperature,
  osd: id,
})
