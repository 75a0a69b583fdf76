import type { DiskStatusReason, Guest } from '@pulse/contract'

const reasons: Partial<Record<DiskStatusReason, string>> = {
  'agent-not-running': 'Guest agent not running. Install and start qemu-guest-agent in the VM.',
  'agent-timeout': 'Guest agent timeout. Agent may need to be restarted.',
  'permission-denied':
    'Permission denied. Check that your Pulse user/token has VM.Monitor permission (PVE 8) or VM.GuestAgent.Audit permission (PVE 9).',
  'agent-disabled': 'Guest agent is disabled in VM configuration. Enable it in VM Options.',
  'no-filesystems': 'No filesystems found. VM may be booting or using a Live ISO.',
  'special-filesystems-only':
    'Only special filesystems detected (ISO/squashfs). This is normal for Live systems.',
  'agent-error': 'Error communicating with guest agent.',
  'agent-unsupported': 'The guest agent of this system does not report file systems.',
  'vm-paused': 'The VM is paused: its guest agent answers again when it is resumed.',
  'no-data': 'No disk data available from Proxmox API.',
}

const unavailable = {
  qemu: 'Disk stats unavailable. Guest agent may not be installed.',
  lxc: 'Disk stats unavailable',
} as const

/** Why a guest's disk usage is not known. */
export function diskReason({ type, diskStatusReason }: Pick<Guest, 'type' | 'diskStatusReason'>): string {
  return (diskStatusReason && reasons[diskStatusReason]) ?? unavailable[type]
}
