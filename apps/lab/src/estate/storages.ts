import { hash } from '../random.ts'
import type { Ceph, Cluster, Storage } from './estate.ts'

const gib = 1024 ** 3
const tib = 1024 ** 4

type Plan = Pick<Storage, 'name' | 'type' | 'shared' | 'content' | 'totalBytes' | 'config'> &
  Partial<Pick<Storage, 'disabled' | 'nodes'>>

/** Each of so many clusters lists the backups of the others; a fleet keeps them apart. */
const clustersTogether = 4

function offsiteNamespace(index: number): { namespace?: string } {
  const group = Math.floor(index / clustersTogether)
  return group === 0 ? {} : { namespace: `group${group}` }
}

/** The storages of a typical site, and one with each problem: disabled, restricted to nodes, unreachable. */
export function drawStorages(
  cluster: Cluster,
  { seed, nightlyAtSeconds, index }: { seed: number; nightlyAtSeconds: number; index: number },
): Storage[] {
  const names = cluster.nodes.map(({ name }) => name)
  const onZfs = names.filter((_, index) => index % 2 === 0)
  const onLvm = names.filter((_, index) => index % 2 === 1)
  const localContent =
    cluster.release.major === 9 ? ['backup', 'vztmpl', 'import', 'iso'] : ['backup', 'iso', 'vztmpl']
  const plans: Plan[] = [
    {
      name: 'local',
      type: 'dir',
      shared: false,
      content: localContent,
      totalBytes: 94 * gib,
      config: { path: '/var/lib/vz' },
    },
    {
      name: 'local-zfs',
      type: 'zfspool',
      shared: false,
      content: ['images', 'rootdir'],
      totalBytes: 1.7 * tib,
      config: { pool: 'rpool/data', sparse: '1' },
      nodes: onZfs,
    },
    {
      name: 'nas-vm',
      type: 'nfs',
      shared: true,
      content: ['images', 'rootdir'],
      totalBytes: 16 * tib,
      config: { server: '192.0.2.20', export: '/volume1/vm', path: '/mnt/pve/nas-vm', options: 'vers=4.2' },
    },
    {
      name: 'nas-backup',
      type: 'nfs',
      shared: true,
      content: ['backup', 'iso'],
      totalBytes: 24 * tib,
      config: {
        server: '192.0.2.20',
        export: '/volume1/backup',
        path: '/mnt/pve/nas-backup',
        'prune-backups': 'keep-daily=7,keep-weekly=4',
      },
    },
    {
      name: 'pbs-main',
      type: 'pbs',
      shared: true,
      content: ['backup'],
      totalBytes: 32 * tib,
      config: {
        server: '192.0.2.30',
        datastore: 'main',
        username: 'pve@pbs!pve',
        namespace: cluster.name,
        fingerprint: fingerprintFor(seed),
      },
    },
    {
      name: 'pbs-offsite',
      type: 'pbs',
      shared: true,
      content: ['backup'],
      totalBytes: 0,
      config: {
        server: 'backup.example.net',
        datastore: 'offsite',
        username: 'pve@pbs!pve',
        port: '8007',
        ...offsiteNamespace(index),
      },
    },
    {
      name: 'old-nas',
      type: 'cifs',
      shared: true,
      content: ['backup', 'iso'],
      totalBytes: 4 * tib,
      config: { server: '192.0.2.21', share: 'pve', username: 'pve', path: '/mnt/pve/old-nas' },
      disabled: true,
    },
    {
      name: 'usb-disk',
      type: 'dir',
      shared: false,
      content: ['backup'],
      totalBytes: 3.6 * tib,
      config: { path: '/mnt/usb', is_mountpoint: '1' },
      nodes: [names[0]!],
    },
    {
      name: 'scratch',
      type: 'dir',
      shared: false,
      content: ['images', 'snippets'],
      totalBytes: 450 * gib,
      config: { path: '/mnt/scratch', is_mountpoint: '1' },
    },
  ]
  if (onLvm.length > 0) {
    plans.push({
      name: 'local-lvm',
      type: 'lvmthin',
      shared: false,
      content: ['rootdir', 'images'],
      totalBytes: 794 * gib,
      config: { thinpool: 'data', vgname: 'pve' },
      nodes: onLvm,
    })
  }
  if (cluster.ceph) plans.push(...cephPlans(cluster.ceph))
  const storages = plans.map((plan) => ({
    ...toStorage(plan, hash(`${seed}/${cluster.name}/storage/${plan.name}`)),
    nightlyAtSeconds,
  }))
  // The disk is missing on the last node: the storage is enabled there but not active.
  storages.find(({ name }) => name === 'scratch')!.absentOn = names.at(-1)!
  return storages
}

/** The space for data with three copies. */
function cephPlans({ osds, fsid }: Ceph): Plan[] {
  const totalBytes = osds.reduce((sum, { bytes }) => sum + bytes, 0) / 3
  return [
    {
      name: 'ceph-vm',
      type: 'rbd',
      shared: true,
      content: ['images', 'rootdir'],
      totalBytes,
      config: { pool: 'ceph-vm', krbd: '0' },
    },
    {
      name: 'cephfs',
      type: 'cephfs',
      shared: true,
      content: ['iso', 'vztmpl', 'snippets'],
      totalBytes,
      config: { path: '/mnt/pve/cephfs', 'fs-name': 'cephfs', fsid },
    },
  ]
}

function toStorage(plan: Plan, seed: number): Omit<Storage, 'nightlyAtSeconds'> {
  return {
    disabled: false,
    nodes: undefined,
    ...plan,
    totalBytes: Math.floor(plan.totalBytes),
    seed,
    pins: new Map(),
  }
}

function fingerprintFor(seed: number): string {
  const bytes = Array.from({ length: 32 }, (_, index) => hash(`${seed}/pbs/${index}`) & 0xff)
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(':')
}
