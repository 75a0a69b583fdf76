import type { Guest } from '../estate/estate.ts'
import type { GuestReading } from '../estate/reading.ts'
import { hash } from '../random.ts'

export const gib = 1024 ** 3
export const mib = 1024 ** 2

export interface Filesystem {
  name: string
  mountpoint: string
  type: string
  totalBytes: number
  usedBytes: number
  dev?: string
}

export const boot: Filesystem = {
  name: 'sda2',
  mountpoint: '/boot',
  type: 'ext4',
  totalBytes: 1_916_223_488,
  usedBytes: 275_972_096,
  dev: '/dev/sda2',
}
export const efi: Filesystem = {
  name: 'sda15',
  mountpoint: '/boot/efi',
  type: 'vfat',
  totalBytes: 129_718_272,
  usedBytes: 12_091_392,
  dev: '/dev/sda15',
}

export function root(guest: Guest, reading: GuestReading): Filesystem {
  const [totalBytes, usedBytes] = sizesOf(guest, reading)
  return { name: 'sda1', mountpoint: '/', type: 'ext4', totalBytes, usedBytes, dev: '/dev/sda1' }
}

/** A filesystem is a little smaller than its disk. */
export function sizesOf(guest: Guest, reading: GuestReading): [number, number] {
  const totalBytes = Math.floor(guest.maxDiskBytes * 0.978)
  return [totalBytes, Math.min(totalBytes, reading.diskBytes)]
}

/** The root volume, then the one for /var. */
export function logicalVolume(guest: Guest, reading: GuestReading, index: 0 | 1): Filesystem {
  const totalBytes = Math.floor(guest.maxDiskBytes * [0.6, 0.3][index]!)
  const usedBytes = index === 0 ? Math.min(totalBytes, reading.diskBytes) : Math.floor(totalBytes * 0.45)
  const name = `dm-${index}`
  return { name, mountpoint: ['/', '/var'][index]!, type: 'xfs', totalBytes, usedBytes, dev: '/dev/sda3' }
}

export const remote = (name: string, mountpoint: string, type: string): Filesystem => ({
  name,
  mountpoint,
  type,
  totalBytes: 4096 * gib,
  usedBytes: 2900 * gib,
  dev: '',
})

export const linuxEntry = ({ name, mountpoint, type, totalBytes, usedBytes, dev }: Filesystem) => ({
  name,
  mountpoint,
  type,
  'total-bytes': totalBytes,
  'used-bytes': usedBytes,
  disk: dev ? [diskBelow(dev)] : [],
})

export const loopMount = (name: string, mountpoint: string, type: string) => ({
  name,
  mountpoint,
  type,
  'total-bytes': 259_129_344,
  'used-bytes': 259_129_344,
  disk: [],
})

export const diskBelow = (dev: string) => ({
  dev,
  serial: '0QEMU_QEMU_HARDDISK_drive-scsi0',
  'bus-type': 'scsi',
  bus: 0,
  target: 0,
  unit: 0,
  'pci-controller': { bus: 9, slot: 1, domain: 0, function: 0 },
})

export const windowsVolume = (drive: number, mountpoint: string, totalBytes: number, usedBytes: number) => ({
  name: `\\\\?\\Volume{${hash(mountpoint).toString(16).padStart(8, '0')}-0000-0000-0000-100000000000}\\`,
  mountpoint,
  type: 'NTFS',
  'total-bytes': totalBytes,
  'used-bytes': usedBytes,
  disk: [
    {
      dev: `\\\\.\\PhysicalDrive${drive}`,
      serial: `drive-scsi${drive}`,
      'bus-type': 'scsi',
      bus: 0,
      target: drive,
      unit: 0,
      'pci-controller': { bus: 9, slot: 1, domain: 0, function: 0 },
    },
  ],
})
