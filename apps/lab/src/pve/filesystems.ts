import type { Guest } from '../estate/estate.ts'
import type { GuestReading } from '../estate/reading.ts'
import { ApiError } from '../api/api-error.ts'
import {
  boot,
  diskBelow,
  logicalVolume,
  efi,
  gib,
  linuxEntry,
  loopMount,
  mib,
  remote,
  root,
  sizesOf,
  windowsVolume,
} from './filesystem-entries.ts'

type Layout = (guest: Guest, reading: GuestReading) => unknown[]

/** Reports of guest agents by operating system. */
const layouts = {
  linux: (guest, reading) => [root(guest, reading), boot, efi].map(linuxEntry),
  // Volumes of one volume group report the same underlying disk.
  'linux-lvm': (guest, reading) =>
    [logicalVolume(guest, reading, 0), logicalVolume(guest, reading, 1), boot].map(linuxEntry),
  'snaps-and-overlays': (guest, reading) => [
    ...[6782, 6801].map((revision, index) =>
      loopMount(`loop${index}`, `/snap/firefox/${revision}`, 'squashfs'),
    ),
    linuxEntry(root(guest, reading)),
    ...['b1946ac9', '2cd6ee2c'].map((layer) =>
      linuxEntry({
        ...root(guest, reading),
        name: 'overlay',
        mountpoint: `/var/lib/docker/overlay2/${layer}/merged`,
        type: 'overlay',
        dev: '',
      }),
    ),
    linuxEntry(boot),
  ],
  'network-mounts': (guest, reading) => [
    linuxEntry(root(guest, reading)),
    linuxEntry(remote('10.20.0.5:/export/home', '/home', 'nfs4')),
    linuxEntry(remote('//files/share', '/mnt/share', 'cifs')),
    linuxEntry(remote('tmpfs', '/run', 'tmpfs')),
  ],
  // A bind mount, a btrfs subvolume and a ZFS dataset repeat the same device.
  duplicates: (guest, reading) =>
    [
      root(guest, reading),
      { ...root(guest, reading), mountpoint: '/srv/export' },
      ...['/data', '/data/@snapshots'].map((mountpoint) => ({
        name: 'sdb1',
        mountpoint,
        type: 'btrfs',
        totalBytes: 200 * gib,
        usedBytes: 120 * gib,
        dev: '/dev/sdb1',
      })),
      ...['tank', 'tank/media'].map((name) => ({
        name,
        mountpoint: `/${name}`,
        type: 'zfs',
        totalBytes: 500 * gib,
        usedBytes: 210 * gib,
        dev: '/dev/sdc1',
      })),
    ].map(linuxEntry),
  'live-iso': () => [
    loopMount('loop0', '/run/live/rootfs', 'squashfs'),
    loopMount('sr0', '/run/live/medium', 'iso9660'),
    linuxEntry({
      name: 'overlay',
      mountpoint: '/',
      type: 'overlay',
      totalBytes: 2 * gib,
      usedBytes: 2 * gib,
      dev: '',
    }),
    linuxEntry({
      name: 'tmpfs',
      mountpoint: '/tmp',
      type: 'tmpfs',
      totalBytes: gib,
      usedBytes: 8 * mib,
      dev: '',
    }),
  ],
  'home-assistant': (guest, reading) =>
    [
      {
        name: 'sda3',
        mountpoint: '/',
        type: 'erofs',
        totalBytes: 256 * mib,
        usedBytes: 256 * mib,
        dev: '/dev/sda3',
      },
      {
        name: 'sda7',
        mountpoint: '/mnt/overlay',
        type: 'ext4',
        totalBytes: 96 * mib,
        usedBytes: 2 * mib,
        dev: '/dev/sda7',
      },
      { ...root(guest, reading), name: 'sda8', mountpoint: '/mnt/data', dev: '/dev/sda8' },
      { ...root(guest, reading), name: 'sda8', mountpoint: '/var/lib/docker', dev: '/dev/sda8' },
    ].map(linuxEntry),
  // Agents before 3.0 report no sizes, and not always the underlying disk.
  'old-agent': () => [
    { name: 'dm-0', mountpoint: '/', type: 'xfs', disk: [] },
    { name: 'sda1', mountpoint: '/boot', type: 'xfs', disk: [diskBelow('/dev/sda1')] },
  ],
  // Some agents report the size of a file system but not its usage.
  'sizes-only': (guest, reading) =>
    [root(guest, reading), boot].map((entry, index) => {
      const { 'used-bytes': used, ...rest } = linuxEntry(entry) as Record<string, unknown>
      return index === 0 ? rest : { ...rest, 'used-bytes': used }
    }),
  // A mount point is a path of up to 4,096 bytes, which may have no place to break a line.
  'long-name': (guest, reading) => [
    linuxEntry(root(guest, reading)),
    linuxEntry({
      ...root(guest, reading),
      name: 'sdb1',
      mountpoint: `/srv/${'customerdata'.repeat(25)}`,
      dev: '/dev/sdb1',
    }),
  ],
  empty: () => [],
  unsupported: () => {
    throw new ApiError(500, 'Agent error: this feature or command is not currently supported')
  },
  windows: (guest, reading) => [
    windowsVolume(0, 'System Reserved', 524_283_904, 413_138_944),
    windowsVolume(0, 'C:\\', ...sizesOf(guest, reading)),
    windowsVolume(1, 'D:\\', 100 * gib, 61 * gib),
    {
      name: '\\\\?\\Volume{0d0d0d0d-0000-0000-0000-100000000000}\\',
      mountpoint: 'E:\\',
      type: 'CDFS',
      'total-bytes': 0,
      'used-bytes': 0,
      disk: [],
    },
  ],
  freebsd: (guest, reading) => {
    const [totalBytes, usedBytes] = sizesOf(guest, reading)
    return [
      {
        name: '/dev/gpt/rootfs',
        mountpoint: '/',
        type: 'ufs',
        'total-bytes': String(totalBytes),
        'used-bytes': String(usedBytes),
        disk: [],
      },
      {
        name: 'devfs',
        mountpoint: '/dev',
        type: 'devfs',
        'total-bytes': '1024',
        'used-bytes': '1024',
        disk: [],
      },
      {
        name: 'fdescfs',
        mountpoint: '/dev/fd',
        type: 'fdescfs',
        'total-bytes': '1024',
        'used-bytes': '1024',
        disk: [],
      },
    ]
  },
} satisfies Record<string, Layout>

export const filesystemKinds: readonly string[] = Object.keys(layouts)

export function filesystemsOf(guest: Guest, reading: GuestReading): unknown[] {
  const layout: Layout = layouts[guest.filesystems as keyof typeof layouts] ?? layouts.linux
  return layout(guest, reading)
}
