import { figures } from '@pulse/contract'
import { fresh, ofKind } from '../of-kind.ts'

const guests = ofKind('guests')
const protections = ofKind('protections')

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
  ...guests.figures(figures.guests),
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
  ...protections.figures(figures.protections),
]

const filesystems = <D extends { mountpoint?: string | undefined; staleSince?: number | undefined }>(
  disks: readonly D[] | undefined,
  figure: (disk: D) => number | undefined,
) => (disks ?? []).map((disk) => [fresh(disk) && figure(disk), disk.mountpoint] as const)
