import { aGuest, aNode, aPbsServer } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { guestMark, isGuestRunning, isOnline, machineState } from './status.ts'

describe('a node', () => {
  test.each([
    [{}, true],
    [{ connectionHealth: 'degraded' }, true],
    [{ connectionHealth: 'unknown' }, true],
    [{ status: 'offline' }, false],
    [{ status: 'unknown' }, false],
    [{ connectionHealth: 'offline' }, false],
    [{ connectionHealth: 'error' }, false],
  ] as const)('[spec 1 §4] with %o is online: %s', (change, online) => {
    expect(isOnline(aNode(change))).toBe(online)
  })

  test('[spec 1 §4] without uptime is not online', () => {
    const { startedAt: _, ...down } = aNode()
    expect(isOnline(down)).toBe(false)
  })

  test('an unreadable uptime is unknown, not 0', () => {
    const { startedAt: _, ...unseen } = aNode({ withheld: 'Sys.Audit is missing on /nodes/pve1' })
    expect(isOnline(unseen)).toBe(true)
    expect(isOnline({ ...unseen, status: 'offline' })).toBe(false)
  })

  test.each([
    ['online', {}],
    ['stale', { staleSince: 1 }],
    ['unheard', { connectionHealth: 'unknown', staleSince: 1 }],
    ['offline', { status: 'offline', connectionHealth: 'unknown', staleSince: 1 }],
    ['unreachable', { connectionHealth: 'error', staleSince: 1 }],
    ['unknown', { connectionHealth: 'error' }],
    ['offline', { status: 'offline', staleSince: 1 }],
  ] as const)('is %s with %o', (state, change) => {
    expect(machineState(aNode(change))).toBe(state)
  })
})

const { startedAt: _, ...neverStarted } = aPbsServer()
test.each([
  ['as usual', aPbsServer(), true],
  ['offline', aPbsServer({ status: 'offline' }), false],
  ['without uptime', neverStarted, false],
  ['without an answer', aPbsServer({ connectionHealth: 'error' }), false],
] as const)('[spec 1 §4] a backup server %s is online: %s', (_case, server, online) => {
  expect(isOnline(server)).toBe(online)
})

test('a backup server is unreachable when its source does not answer and nothing reports it as off', () => {
  expect(machineState(aPbsServer({ connectionHealth: 'error', staleSince: 1 }))).toBe('unreachable')
  expect(machineState(aPbsServer({ connectionHealth: 'error' }))).toBe('unknown')
  expect(machineState(aPbsServer({ status: 'offline', staleSince: 1 }))).toBe('offline')
  expect(machineState(aPbsServer())).toBe('online')
})

test.each([
  ['running', false, true],
  ['running', true, false],
  ['stopped', false, false],
  ['paused', false, false],
  ['', false, false],
])('[spec 1 §4] a %s guest, node offline %s: running is %s', (status, nodeOffline, running) => {
  expect(isGuestRunning(aGuest({ status }), nodeOffline)).toBe(running)
})

const unheard = { connectionHealth: 'unknown', staleSince: 1 }
test.each([
  [{}, 'online', 'running'],
  [{ status: 'stopped' }, 'online', 'stopped'],
  [{}, 'offline', 'unreachable'],
  [{ status: 'stopped', staleSince: 1 }, 'unreachable', 'unreachable'],
  [{ status: 'stopped', staleSince: 1 }, 'online', 'unreachable'],
  [unheard, 'unheard', 'running'],
  [{ ...unheard, status: 'stopped' }, 'unheard', 'unheard'],
  [{ ...unheard, status: 'unknown' }, 'unheard', 'unheard'],
  [{ ...unheard, status: 'stopped' }, 'offline', 'unreachable'],
] as const)('a guest with %o on a node that is %s counts as %s', (change, node, mark) => {
  expect(guestMark(aGuest(change), node)).toBe(mark)
})
