import type { Guest } from '@pulse/contract'
import { fresh, inSeconds, ofKind } from '../of-kind.ts'

const guests = ofKind('guests')
const protections = ofKind('protections')

const isUp = ({ status }: Guest) => (status === 'unknown' ? undefined : status === 'running')

export const guestMetrics = [
  guests.info(
    'pulse_guest_info',
    'Names and place of a virtual machine or container of Proxmox VE. Always 1.',
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
  guests.gauge('pulse_guest_up', 'Whether the guest runs; absent while nobody knows.', isUp),
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
    'What of the disks of the guest is in use, where that is known.',
    ({ disk }) => fresh(disk)?.used,
  ),
  guests.split(
    'pulse_guest_filesystem_size_bytes',
    'Size of a file system of the guest, told by its agent.',
    ['mountpoint'],
    ({ disks }) => filesystems(disks, ({ total }) => total),
  ),
  guests.split(
    'pulse_guest_filesystem_used_bytes',
    'What of a file system of the guest is in use, told by its agent.',
    ['mountpoint'],
    ({ disks }) => filesystems(disks, ({ used }) => used),
  ),
  guests.gauge(
    'pulse_guest_disk_read_bytes_per_second',
    'Bytes a second that the guest reads from its disks.',
    ({ diskRead }) => diskRead,
  ),
  guests.gauge(
    'pulse_guest_disk_written_bytes_per_second',
    'Bytes a second that the guest writes to its disks.',
    ({ diskWrite }) => diskWrite,
  ),
  guests.gauge(
    'pulse_guest_network_received_bytes_per_second',
    'Bytes a second that the guest receives.',
    ({ networkIn }) => networkIn,
  ),
  guests.gauge(
    'pulse_guest_network_sent_bytes_per_second',
    'Bytes a second that the guest sends.',
    ({ networkOut }) => networkOut,
  ),
  guests.gauge('pulse_guest_start_time_seconds', 'When the guest was started, since 1970.', ({ startedAt }) =>
    inSeconds(startedAt),
  ),
  protections.gauge(
    'pulse_guest_backup_timestamp_seconds',
    'When the newest backup of the guest was made, since 1970; absent without one.',
    ({ newest }) => (newest?.future ? undefined : inSeconds(newest?.at)),
  ),
  protections.gauge(
    'pulse_guest_backup_good_timestamp_seconds',
    'When the newest backup of the guest that was not found broken was made, since 1970.',
    ({ newest, newestGood }) => {
      const good = newest?.verification === 'failed' ? newestGood : newest
      return good?.future ? undefined : inSeconds(good?.at)
    },
  ),
  protections.gauge(
    'pulse_guest_backup_failed',
    'Whether the newest backup run of the guest failed.',
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
