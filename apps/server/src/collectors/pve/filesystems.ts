import type { GuestDisk } from '@pulse/contract'
import { usageOf } from '@pulse/domain'
import type { PveFilesystem } from './schema.ts'

export interface DiskUsage {
  total: number
  /** undefined: no file system reports its usage */
  used: number | undefined
  disks: GuestDisk[]
}

/** The relevant file systems, each device once, or the reason why there are none. */
export function sumFilesystems(
  filesystems: readonly PveFilesystem[],
): DiskUsage | 'no-filesystems' | 'special-filesystems-only' {
  if (filesystems.length === 0) return 'no-filesystems'
  const byDevice = new Map<string, GuestDisk>()
  for (const filesystem of filesystems) {
    if (isSpecial(filesystem)) continue
    const disk = toDisk(filesystem)
    const key = deviceKey(filesystem)
    const known = byDevice.get(key)
    if (!known) byDevice.set(key, disk)
    else if (isZfs(filesystem)) byDevice.set(key, mergeDataset(known, disk))
  }
  const disks = [...byDevice.values()]
  if (disks.length === 0) return 'special-filesystems-only'
  return { ...sumDisks(disks), disks }
}

/** Sums file systems with size and usage. A size without usage would make the rest look emptier. */
function sumDisks(disks: readonly GuestDisk[]): Pick<DiskUsage, 'total' | 'used'> {
  const known = disks.filter((disk) => disk.used !== undefined)
  const used = known.length > 0 ? known.reduce((sum, disk) => sum + disk.used!, 0) : undefined
  return { total: (known.length > 0 ? known : disks).reduce((sum, disk) => sum + disk.total, 0), used }
}

const readOnlyTypes = ['erofs', 'squashfs', 'squash-fs', 'iso9660', 'cdfs', 'udf', 'cramfs', 'romfs']
const networkTypes = ['nfs', 'cifs', 'smb', '9p', 'sshfs']
const pseudoTypes = new Set(
  (
    'tmpfs devtmpfs cgroup cgroup2 sysfs proc devpts securityfs debugfs tracefs fusectl configfs pstore hugetlbfs ' +
    'mqueue bpf overlay autofs fdescfs devfs linprocfs linsysfs'
  ).split(' '),
)
const hiddenTrees = ['/dev', '/proc', '/sys', '/run', '/snap', '/var/lib/docker', '/var/lib/containers']
const firmwareMounts = ['/boot/efi', '/boot/firmware']
const isWindowsPath = (mountpoint: string) => /^[A-Za-z]:/.test(mountpoint)

export function isSpecial(filesystem: PveFilesystem): boolean {
  const type = (filesystem.type ?? '').toLowerCase()
  const mountpoint = filesystem.mountpoint ?? ''
  if (!filesystem['total-bytes']) return true
  if (pseudoTypes.has(type)) return true
  if ([...readOnlyTypes, ...networkTypes].some((part) => type.includes(part))) return true
  if (mountpoint.includes('System Reserved')) return true
  if (isWindowsPath(mountpoint)) return false
  if (firmwareMounts.includes(mountpoint)) return true
  return hiddenTrees.some((tree) => mountpoint === tree || mountpoint.startsWith(`${tree}/`))
}

/**
 * Bind mounts, subvolumes and drives mounted twice show one device of one size several times. Logical volumes
 * share the underlying disk and may have equal sizes, so their names identify them.
 */
function deviceKey(filesystem: PveFilesystem): string {
  const { name = '', mountpoint = '' } = filesystem
  if (isZfs(filesystem)) return `pool ${name.split('/')[0]}`
  const total = filesystem['total-bytes']
  const disk = filesystem.disk?.[0]
  if (isWindowsPath(mountpoint)) return `${mountpoint.slice(0, 2).toUpperCase()} ${total}`
  if (/^dm-\d+$/.test(name)) return `${name} ${total}`
  const bus = disk?.['bus-type'] && `${disk['bus-type']} ${disk.target ?? ''}`
  return `${disk?.dev || disk?.serial || bus || mountpoint} ${total}`
}

const isZfs = (filesystem: PveFilesystem) => filesystem.type === 'zfs' && Boolean(filesystem.name)

/** Every dataset reports the pool's free space as its own. */
function mergeDataset(pool: GuestDisk, dataset: GuestDisk): GuestDisk {
  if (pool.used === undefined) return dataset.used === undefined ? pool : { ...pool, ...figuresOf(dataset) }
  if (dataset.used === undefined) return pool
  const used = pool.used + dataset.used
  const free = Math.max(pool.free ?? 0, dataset.free ?? 0)
  return { ...pool, ...usageOf(used, used + free) }
}

const figuresOf = ({ total, used, free, usage }: GuestDisk) => ({ total, used, free, usage })

function toDisk(filesystem: PveFilesystem): GuestDisk {
  const { 'total-bytes': total = 0, 'used-bytes': used, mountpoint, type, name } = filesystem
  const device = filesystem.disk?.[0]?.dev || name
  return {
    ...(used === undefined ? { total } : usageOf(Math.min(used, total), total)),
    ...(mountpoint && { mountpoint }),
    ...(type && { type }),
    ...(device && { device }),
  }
}
