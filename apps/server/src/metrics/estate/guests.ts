import type { Guest } from '@pulse/contract'
import { fresh, inSeconds, ofKind } from '../of-kind.ts'

const guests = ofKind('guests')
const protections = ofKind('protections')

const isUp = ({ status }: Guest) => (status === 'unknown' ? undefined : status === 'running')

export const guestMetrics = [
  guests.info(
    'pulse_guest_info',
    'Name and location of a virtual machine or container of Proxmox VE. Always 1.',
    {
      source: ({ source }) => source,
      vmid: ({ vmid }) => String(vmid),
      name: ({ name }) => name,
      type: ({ type }) => type,
      node: ({ node }) => node,
      connection: ({ instance }) => instance,
      template: ({ template }) => String(template),
      tags: ({ tags }) => tags,
    },
  ),
  guests.gauge('pulse_guest_up', 'Whether the guest is running; absent while unknown.', isUp),
  guests.gauge(
    'pulse_guest_cpu_usage_ratio',
    'Share of the CPUs of the guest in use, 0 to 1.',
    ({ cpu }) => cpu,
  ),
  guests.gauge('pulse_guest_cpus', 'CPUs assigned to the guest.', ({ cpus }) => cpus),
  guests.gauge('pulse_guest_memory_size_bytes', 'Memory of the guest.', ({ memory }) => fresh(memory)?.total),
  guests.gauge(
    'pulse_guest_memory_used_bytes',
    'Memory of the guest in use.',
    ({ memory }) => fresh(memory)?.used,
  ),
  guests.gauge(
    'pulse_guest_disk_size_bytes',
    'Size of the disks of the guest.',
    ({ disk }) => fresh(disk)?.total,
  ),
  guests.gauge(
    'pulse_guest_disk_used_bytes',
    'Used space on the disks of the guest; absent while unknown.',
    ({ disk }) => fresh(disk)?.used,
  ),
  guests.split(
    'pulse_guest_filesystem_size_bytes',
    'Size of a file system of the guest, reported by its guest agent.',
    ['mountpoint'],
    ({ disks }) => filesystems(disks, ({ total }) => total),
  ),
  guests.split(
    'pulse_guest_filesystem_used_bytes',
    'Used space of a file system of the guest, reported by its guest agent.',
    ['mountpoint'],
    ({ disks }) => filesystems(disks, ({ used }) => used),
  ),
  guests.gauge(
    'pulse_guest_disk_read_bytes_per_second',
    'Disk read rate of the guest, in bytes per second.',
    ({ diskRead }) => diskRead,
  ),
  guests.gauge(
    'pulse_guest_disk_written_bytes_per_second',
    'Disk write rate of the guest, in bytes per second.',
    ({ diskWrite }) => diskWrite,
  ),
  guests.gauge(
    'pulse_guest_network_received_bytes_per_second',
    'Network receive rate of the guest, in bytes per second.',
    ({ networkIn }) => networkIn,
  ),
  guests.gauge(
    'pulse_guest_network_sent_bytes_per_second',
    'Network transmit rate of the guest, in bytes per second.',
    ({ networkOut }) => networkOut,
  ),
  guests.gauge(
    'pulse_guest_start_time_seconds',
    'Start time of the guest, in seconds since 1970.',
    ({ startedAt }) => inSeconds(startedAt),
  ),
  protections.gauge(
    'pulse_guest_backup_timestamp_seconds',
    'Time of the newest backup of the guest, in seconds since 1970; absent without a backup.',
    ({ newest }) => (newest?.future ? undefined : inSeconds(newest?.at)),
  ),
  protections.gauge(
    'pulse_guest_backup_good_timestamp_seconds',
    'Time of the newest backup of the guest that did not fail verification, in seconds since 1970.',
    ({ newest, newestGood }) => {
      const good = newest?.verification === 'failed' ? newestGood : newest
      return good?.future ? undefined : inSeconds(good?.at)
    },
  ),
  protections.gauge(
    'pulse_guest_backup_failed',
    'Whether the last backup run of the guest failed.',
    ({ failed }) => failed !== undefined,
  ),
  protections.gauge(
    'pulse_guest_backup_scheduled',
    'Whether an enabled backup job includes the guest.',
    ({ inJob }) => inJob,
  ),
]

const filesystems = <D extends { mountpoint?: string | undefined; staleSince?: number | undefined }>(
  disks: readonly D[] | undefined,
  figure: (disk: D) => number | undefined,
) => (disks ?? []).map((disk) => [fresh(disk) && figure(disk), disk.mountpoint] as const)
