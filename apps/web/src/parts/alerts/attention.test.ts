import type { Guest } from '@pulse/contract'
import { aGuest, BUILT_AT } from '@pulse/testkit'
import { usageOf } from '@pulse/domain'
import { expect, test } from 'vitest'
import { guestTrouble, type Trouble, troubleOf } from './attention.ts'
import { type MachineState, machineStates } from '../nodes/status.ts'

const well = { down: false, stale: false, alert: undefined, figures: {} }

test.each<[what: string, change: Partial<Parameters<typeof troubleOf>[0]>, trouble: Trouble | undefined]>([
  ['all is well', {}, undefined],
  ['down', { down: true }, 'unreachable'],
  ['down, with other troubles', { down: true, stale: true, alert: 'critical' }, 'unreachable'],
  ['a critical alert', { alert: 'critical' }, 'alert'],
  ['a warning', { alert: 'warning' }, 'alert'],
  ['old figures', { stale: true }, 'stale'],
  ['CPU in the yellow', { figures: { cpu: 89.9 } }, undefined],
  ['CPU in the red', { figures: { cpu: 90 } }, 'cpu'],
  ['memory in the yellow', { figures: { memory: 84.9 } }, undefined],
  ['memory in the red', { figures: { memory: 85 } }, 'memory'],
  ['disk in the red', { figures: { disk: 90 } }, 'disk'],
  ['70 °C', { figures: { nodeTemperature: 70 } }, undefined],
  ['80 °C', { figures: { nodeTemperature: 80 } }, 'temperature'],
  ['nothing known', { figures: { cpu: undefined, memory: undefined } }, undefined],
])('[spec 1 §9] a machine needs attention: %s', (_, change, trouble) => {
  expect(troubleOf({ ...well, ...change })).toBe(trouble)
})

const GiB = 1024 ** 3
const full = usageOf(4 * GiB, 4 * GiB)

test.each<[what: string, guest: Partial<Guest>, node: MachineState, trouble: Trouble | undefined]>([
  ['running and well', {}, 'online', undefined],
  ['stopped', { status: 'stopped' }, 'online', undefined],
  ['paused by somebody', { status: 'paused' }, 'online', undefined],
  ['halted by an I/O error', { status: 'io-error' }, 'online', 'fault'],
  ['busy', { cpu: 0.95 }, 'online', 'cpu'],
  ['busy before it stopped', { cpu: 0.95, status: 'stopped' }, 'online', undefined],
  ['out of memory', { memory: full }, 'online', 'memory'],
  ['memory that may be page cache', { memory: { ...full, estimate: 'agent-silent' } }, 'online', undefined],
  ['a full disk', { disk: full }, 'online', 'disk'],
  ['a disk nobody knows the size of', { disk: { total: 0, usage: 100 } }, 'online', undefined],
  ['old figures', { staleSince: BUILT_AT }, 'online', 'stale'],
  ['old figures, like those of its node', { staleSince: BUILT_AT }, 'stale', undefined],
  ['busy on a node that is off', { cpu: 0.95 }, 'offline', undefined],
  ['of an unreachable source', { staleSince: BUILT_AT }, 'unreachable', undefined],
])('a guest needs attention by itself: %s', (_, change, node, trouble) => {
  expect(guestTrouble(aGuest(change), node, undefined)).toBe(trouble)
})

test('an alert is the guest’s own, wherever its node is', () => {
  for (const node of Object.keys(machineStates) as MachineState[]) {
    expect(guestTrouble(aGuest(), node, 'warning')).toBe('alert')
  }
})
