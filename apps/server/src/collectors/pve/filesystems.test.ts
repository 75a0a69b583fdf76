import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isSpecial, sumFilesystems } from './filesystems.ts'
import { PveFilesystem, readLooseList } from './schema.ts'

const fsinfo = (fields: object) =>
  PveFilesystem.parse({ 'total-bytes': 100, 'used-bytes': 40, disk: [], ...fields })

test.each<[boolean, string, string]>([
  [true, 'squashfs', '/snap/core/1'],
  [true, 'erofs', '/'],
  [true, 'iso9660', '/mnt/cd'],
  [true, 'CDFS', 'D:\\'],
  [true, 'UDF', 'E:\\'],
  [true, 'tmpfs', '/tmp'],
  [true, 'overlay', '/merged'],
  [true, 'autofs', '/net'],
  [true, 'linprocfs', '/compat/linux/proc'],
  [true, 'nfs4', '/mnt/nas'],
  [true, 'cifs', '/mnt/win'],
  [true, 'fuse.sshfs', '/mnt/ssh'],
  [true, '9p', '/mnt/host'],
  [true, 'ext4', '/dev/shm'],
  [true, 'ext4', '/var/lib/docker/overlay2'],
  [true, 'xfs', '/var/lib/containers/storage'],
  [true, 'ext4', '/snap'],
  [true, 'vfat', '/boot/efi'],
  [true, 'vfat', '/boot/firmware'],
  [true, 'NTFS', 'System Reserved'],
  [false, 'ext4', '/'],
  [false, 'ext4', '/boot'],
  [false, 'xfs', '/system'],
  [false, 'ext4', '/snapshots'],
  [false, 'fuse.mergerfs', '/pool'],
  [false, 'NTFS', 'C:\\'],
  [false, 'ReFS', 'D:\\run'],
  [false, 'zfs', '/tank'],
])('[facts 1.9] skip: %s for %s on %s', (expected, type, mountpoint) => {
  expect(isSpecial(fsinfo({ type, mountpoint }))).toBe(expected)
})

test('[facts 1.9] a file system without a size, as old agents report it, is skipped', () => {
  expect(isSpecial(fsinfo({ type: 'ext4', mountpoint: '/', 'total-bytes': 0 }))).toBe(true)
  expect(isSpecial(PveFilesystem.parse({ type: 'ext4', mountpoint: '/' }))).toBe(true)
})

const sda2 = [{ dev: '/dev/sda2' }]
test.each<[string, object[], number]>([
  [
    'a bind mount of the same device',
    [
      { mountpoint: '/', disk: sda2 },
      { mountpoint: '/srv', disk: sda2 },
    ],
    100,
  ],
  [
    'two partitions',
    [
      { mountpoint: '/', disk: sda2 },
      { mountpoint: '/srv', disk: [{ dev: '/dev/sda3' }] },
    ],
    200,
  ],
  [
    'two partitions known by the serial of their disk',
    [
      { mountpoint: '/boot', disk: [{ serial: 'A' }], 'total-bytes': 50 },
      { mountpoint: '/', disk: [{ serial: 'A' }] },
    ],
    150,
  ],
  [
    'btrfs subvolumes',
    [
      { type: 'btrfs', mountpoint: '/', disk: sda2 },
      { type: 'btrfs', mountpoint: '/home', disk: sda2 },
    ],
    100,
  ],
  [
    'logical volumes of equal size on one disk',
    [
      { name: 'dm-0', mountpoint: '/', disk: sda2 },
      { name: 'dm-1', mountpoint: '/var', disk: sda2 },
    ],
    200,
  ],
  [
    'a Windows drive mounted into folders',
    [
      { mountpoint: 'C:\\', type: 'NTFS' },
      { mountpoint: 'C:\\Users', type: 'NTFS' },
    ],
    100,
  ],
  [
    'two Windows drives on one disk',
    [
      { mountpoint: 'C:\\', type: 'NTFS', disk: [{ dev: '\\\\.\\PhysicalDrive0' }] },
      { mountpoint: 'D:\\', type: 'NTFS', disk: [{ dev: '\\\\.\\PhysicalDrive0' }] },
    ],
    200,
  ],
  ['no device at all', [{ mountpoint: '/' }, { mountpoint: '/srv' }], 200],
  [
    'ZFS datasets of one pool share its space',
    [
      { type: 'zfs', name: 'tank', mountpoint: '/tank', 'total-bytes': 70, 'used-bytes': 10 },
      { type: 'zfs', name: 'tank/data', mountpoint: '/data', 'total-bytes': 90, 'used-bytes': 30 },
    ],
    100,
  ],
])('[facts 1.9] each device counts once: %s', (_case, filesystems, total) => {
  const summed = sumFilesystems(filesystems.map((entry) => fsinfo({ type: 'ext4', ...entry })))
  expect(summed).toMatchObject({ total })
})

test('a file system that tells its size alone is unknown, not empty, and does not make the rest look emptier', () => {
  const root = fsinfo({ type: 'ext4', mountpoint: '/', 'used-bytes': undefined, 'total-bytes': 900 })
  const boot = fsinfo({ type: 'ext4', mountpoint: '/boot' })
  expect(sumFilesystems([root, boot])).toEqual({
    total: 100,
    used: 40,
    disks: [
      { total: 900, mountpoint: '/', type: 'ext4' },
      { total: 100, used: 40, free: 60, usage: 40, mountpoint: '/boot', type: 'ext4' },
    ],
  })
  expect(sumFilesystems([root])).toMatchObject({ total: 900, used: undefined })
})

test('one dataset that does not tell its usage leaves the pool what the others tell', () => {
  const dataset = (name: string, used: number | undefined) =>
    fsinfo({ type: 'zfs', name, mountpoint: `/${name}`, 'total-bytes': 90, 'used-bytes': used })
  for (const pair of [
    [dataset('tank', undefined), dataset('tank/data', 30)],
    [dataset('tank/data', 30), dataset('tank', undefined)],
  ])
    expect(sumFilesystems(pair)).toMatchObject({ total: 90, used: 30 })
})

test('[facts 1.9] nothing listed, and nothing but special ones, are different things', () => {
  expect(sumFilesystems([])).toBe('no-filesystems')
  expect(sumFilesystems([fsinfo({ type: 'squashfs', mountpoint: '/' })])).toBe('special-filesystems-only')
})

test('[facts 1.9] sizes as strings (FreeBSD) and an object instead of a list are understood', () => {
  const raw = [{ type: 'ufs', mountpoint: '/', 'total-bytes': '1000', 'used-bytes': '250' }]
  expect(sumFilesystems(readLooseList(PveFilesystem, raw))).toMatchObject({ total: 1000, used: 250 })
  expect(readLooseList(PveFilesystem, { error: {} })).toEqual([])
})

const shared = path.resolve(import.meta.dirname, '../../../../../../shared')
const fixture = path.join(shared, 'fixtures/pve/agent-get-fsinfo-linux.json')
test.skipIf(!fs.existsSync(fixture))(
  '[facts 1.9] the recorded answer: the snap is skipped, /boot is listed',
  () => {
    const { data } = JSON.parse(fs.readFileSync(fixture, 'utf8')) as { data: { result: unknown } }
    expect(sumFilesystems(readLooseList(PveFilesystem, data.result))).toEqual({
      total: 1916223488,
      used: 275972096,
      disks: [
        expect.objectContaining({ mountpoint: '/boot', type: 'ext4', device: '/dev/sda2', free: 1640251392 }),
      ],
    })
  },
)
