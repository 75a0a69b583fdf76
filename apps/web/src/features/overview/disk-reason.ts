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

/** Whether the agent may well be there, and was not heard yet; while a guest is locked nobody asks it. */
export function agentAwaited({ memory, lock }: Pick<Guest, 'memory' | 'lock'>): string | undefined {
  if (memory?.estimate !== 'agent-pending') return undefined
  return lock
    ? `The guest agent is left alone while the VM is locked (${lock}).`
    : 'The guest agent has not answered yet.'
}

type Told = Pick<Guest, 'type' | 'diskStatusReason' | 'memory' | 'lock'>

/** Why a guest's disk usage is not known. */
export function diskReason({ type, diskStatusReason, ...guest }: Told): string {
  const awaited = diskStatusReason === 'no-agent' ? agentAwaited(guest) : undefined
  if (awaited) return awaited
  return (diskStatusReason && reasons[diskStatusReason]) ?? unavailable[type]
}
