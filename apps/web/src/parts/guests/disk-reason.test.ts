import { DiskStatusReason } from '@pulse/contract'
import { expect, test } from 'vitest'
import { diskReason } from './disk-reason.ts'

const vm = 'Disk stats unavailable. Guest agent may not be installed.'

test.each<[DiskStatusReason | undefined, string]>([
  ['agent-not-running', 'Guest agent not running. Install and start qemu-guest-agent in the VM.'],
  ['agent-timeout', 'Guest agent timeout. Agent may need to be restarted.'],
  [
    'permission-denied',
    'Permission denied. Check that your Pulse user/token has VM.Monitor permission (PVE 8) or VM.GuestAgent.Audit permission (PVE 9).',
  ],
  ['agent-disabled', 'Guest agent is disabled in VM configuration. Enable it in VM Options.'],
  ['no-filesystems', 'No filesystems found. VM may be booting or using a Live ISO.'],
  [
    'special-filesystems-only',
    'Only special filesystems detected (ISO/squashfs). This is normal for Live systems.',
  ],
  ['agent-error', 'Error communicating with guest agent.'],
  ['no-data', 'No disk data available from Proxmox API.'],
  ['vm-stopped', vm],
  ['no-status', vm],
  ['no-agent', vm],
  [undefined, vm],
])('[spec 1 §8] %s reads as in the catalogue', (diskStatusReason, text) => {
  expect(diskReason({ type: 'qemu', diskStatusReason })).toBe(text)
})

test.each<[DiskStatusReason, string]>([
  ['vm-paused', 'The VM is paused: its guest agent answers again when it is resumed.'],
  ['agent-unsupported', 'The guest agent of this system does not report file systems.'],
])('%s does not ask for an agent', (diskStatusReason, text) => {
  expect(diskReason({ type: 'qemu', diskStatusReason })).toBe(text)
})

test.each([
  [undefined, 'The guest agent has not answered yet.'],
  ['backup', 'The guest agent is left alone while the VM is locked (backup).'],
])('an agent that was not heard yet (lock: %s) is not called missing', (lock, text) => {
  const memory = { total: 4, used: 1, free: 3, usage: 25, estimate: 'agent-pending' } as const
  expect(diskReason({ type: 'qemu', diskStatusReason: 'no-agent', memory, lock })).toBe(text)
  expect(diskReason({ type: 'qemu', diskStatusReason: 'agent-disabled', memory, lock })).toContain('disabled')
})

test('[spec 1 §8] containers have no guest agent to blame', () => {
  expect(diskReason({ type: 'lxc' })).toBe('Disk stats unavailable')
})

test('every reason of the contract has a text', () => {
  for (const reason of DiskStatusReason.options) {
    expect(diskReason({ type: 'qemu', diskStatusReason: reason })).not.toBe('')
  }
})
