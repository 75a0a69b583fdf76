import { expect, test } from 'vitest'
import { SourceError, type SourceErrorCode } from '../source-error.ts'
import { agentReason } from './agent.ts'
import { diskStatusReason, mayCarry, type DiskSituation } from './disk-status.ts'

const fine: DiskSituation = {
  running: true,
  halted: false,
  statusFailed: false,
  agentEnabled: true,
  failure: undefined,
  hasDisks: true,
  hasSizesOnly: false,
  allocatedBytes: 32_000,
}

test.each<[string, Partial<DiskSituation>, string | undefined]>([
  ['not running', { running: false, statusFailed: true }, 'vm-stopped'],
  ['the status call failed', { statusFailed: true, agentEnabled: false }, 'no-status'],
  ['the agent is switched off', { agentEnabled: false, failure: 'agent-timeout' }, 'agent-disabled'],
  ['the agent failed', { failure: 'agent-not-running' }, 'agent-not-running'],
  ['an empty list', { failure: 'no-filesystems', hasDisks: false }, 'no-filesystems'],
  [
    'nothing but special ones',
    { failure: 'special-filesystems-only', hasDisks: false },
    'special-filesystems-only',
  ],
  ['not asked yet', { agentEnabled: undefined, hasDisks: false }, 'no-agent'],
  ['not even a size', { hasDisks: false, allocatedBytes: 0 }, 'no-data'],
  ['paused, and never asked', { halted: true, hasDisks: false, agentEnabled: undefined }, 'vm-paused'],
  ['paused: what it holds stays', { halted: true, failure: 'agent-not-running' }, undefined],
  ['sizes alone', { hasSizesOnly: true }, 'no-data'],
  ['success', {}, undefined],
])('[facts 1.9] disk status: %s', (_case, change, expected) => {
  expect(diskStatusReason({ ...fine, ...change })).toBe(expected)
})

test.each<[SourceErrorCode, string, string | undefined]>([
  ['server', 'pve1: /agent failed (500 QEMU guest agent is not running)', 'agent-not-running'],
  ['timeout', 'pve1: no answer within 15 s', 'agent-timeout'],
  ['server', "500 VM 100 qga command 'guest-get-fsinfo' failed - got timeout", 'agent-timeout'],
  ['server', '500 VM 100 is not running', 'agent-not-running'],
  ['server', '500 anything else', 'agent-not-running'],
  ['server', '500 Agent error: this feature or command is not currently supported', 'agent-unsupported'],
  [
    'server',
    '500 Agent error: The command guest-get-fsinfo has been disabled for this instance',
    'agent-unsupported',
  ],
  ['server', '500 Agent error: something else', 'agent-error'],
  ['forbidden', '403 Permission check failed (/vms/100, VM.Monitor)', 'permission-denied'],
  ['bad_answer', 'not valid JSON', 'agent-error'],
  ['unsupported', '501 not implemented', 'agent-error'],
  ['node_offline', '595 No route to host', undefined],
  ['unreachable', 'connection refused', undefined],
])('[facts 1.9] an agent call that ends %s with %j: %s', (code, message, expected) => {
  expect(agentReason(new SourceError(code, message))).toBe(expected)
})

test('[facts 6.2.11] failures that pass keep the last good disks for ten minutes; others do not', () => {
  expect(mayCarry('agent-timeout', 0, 600_000)).toBe(true)
  expect(mayCarry('agent-timeout', 0, 600_001)).toBe(false)
  expect(mayCarry('agent-disabled', 0, 1)).toBe(false)
  expect(mayCarry('vm-stopped', 0, 1)).toBe(false)
  expect(mayCarry(undefined, 0, 86_400_000)).toBe(true)
})
