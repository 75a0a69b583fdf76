import type { DiskStatusReason, Guest } from '@pulse/contract'
import { isGuestHalted } from '../nodes/status.ts'
import type { GuestView } from './guest-view.ts'

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

/** Text while the agent may exist but has not answered yet; locked guests are not polled. */
function agentAwaited({ memory, lock }: Pick<Guest, 'memory' | 'lock'>): string | undefined {
  if (memory?.estimate !== 'agent-pending') return undefined
  return lock ? leftAlone(lock) : 'The guest agent has not answered yet.'
}

/** For these, the lock explains more than the agent's last answer. */
const setAside: readonly (DiskStatusReason | undefined)[] = [
  'agent-not-running',
  'agent-timeout',
  'agent-error',
]

type DiskFacts = Pick<Guest, 'type' | 'diskStatusReason' | 'memory' | 'lock'>

/** Why a guest's disk usage is not known. */
export function diskReason({ type, diskStatusReason, ...guest }: DiskFacts): string {
  const awaited = diskStatusReason === 'no-agent' ? agentAwaited(guest) : undefined
  if (awaited) return awaited
  if (guest.lock && setAside.includes(diskStatusReason)) return leftAlone(guest.lock)
  return (diskStatusReason && reasons[diskStatusReason]) ?? unavailable[type]
}

const leftAlone = (lock: string) => `The guest agent is left alone while the VM is locked (${lock}).`

/** For the details panel, if no disk usage is shown. */
export function unknownDisk(view: GuestView): string | undefined {
  const { guest, holds, diskPercent } = view
  if (diskPercent !== undefined) return undefined
  if (!holds) return guest.type === 'qemu' && !guest.disks?.length ? whyNotRunning(view) : undefined
  return guest.diskStatusReason && diskReason(guest)
}

/** These imply that an agent exists, or that Pulse is kept from asking it. */
const known: readonly (DiskStatusReason | undefined)[] = [
  ...setAside,
  'agent-disabled',
  'permission-denied',
  'agent-unsupported',
]

/** Why a guest has no details, and how to get them. */
export function detailsHint(view: GuestView): string {
  const { guest, running, holds } = view
  if (guest.type === 'lxc') return 'Start the container and ensure sufficient permissions.'
  if (!running && isGuestHalted(guest)) return diskReason({ type: 'qemu', diskStatusReason: 'vm-paused' })
  if (!holds) return whyNotRunning(view)
  if (known.includes(guest.diskStatusReason)) return diskReason(guest)
  return agentAwaited(guest) ?? 'Install and run the guest agent in the VM.'
}

function whyNotRunning({ guest: { status } }: GuestView): string {
  if (status === 'running') return 'Its node is offline: VM details are unavailable until it is back.'
  if (status === 'stopped')
    return 'The VM is stopped: its file systems and addresses are known while it runs.'
  return 'Proxmox does not report the state of the VM.'
}
