import { aGuest, aNode, aPbsServer } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { isGuestRunning, isNodeOnline, isNodeSilent, isPbsOnline, isPbsSilent } from './status.ts'

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
    expect(isNodeOnline(aNode(change))).toBe(online)
  })

  test('[spec 1 §4] without uptime is not online', () => {
    const { startedAt: _, ...down } = aNode()
    expect(isNodeOnline(down)).toBe(false)
  })

  test('an uptime that the account may not see is unknown, which is not 0', () => {
    const { startedAt: _, ...unseen } = aNode({ withheld: 'Sys.Audit is missing on /nodes/pve1' })
    expect(isNodeOnline(unseen)).toBe(true)
    expect(isNodeOnline({ ...unseen, status: 'offline' })).toBe(false)
  })

  test('is silent when nothing comes from its source although nobody said that it is off', () => {
    expect(isNodeSilent(aNode({ connectionHealth: 'error', staleSince: 1 }))).toBe(true)
    expect(isNodeSilent(aNode({ connectionHealth: 'error' }))).toBe(false)
    expect(isNodeSilent(aNode({ status: 'offline', staleSince: 1 }))).toBe(false)
    expect(isNodeSilent(aNode())).toBe(false)
  })
})

const { startedAt: _, ...neverStarted } = aPbsServer()
test.each([
  ['as usual', aPbsServer(), true],
  ['offline', aPbsServer({ status: 'offline' }), false],
  ['without uptime', neverStarted, false],
  ['without an answer', aPbsServer({ connectionHealth: 'error' }), false],
] as const)('[spec 1 §4] a backup server %s is online: %s', (_case, server, online) => {
  expect(isPbsOnline(server)).toBe(online)
})

test('a backup server is silent when nothing comes from it although nobody said that it is off', () => {
  expect(isPbsSilent(aPbsServer({ connectionHealth: 'error', staleSince: 1 }))).toBe(true)
  expect(isPbsSilent(aPbsServer({ connectionHealth: 'error' }))).toBe(false)
  expect(isPbsSilent(aPbsServer({ status: 'offline', staleSince: 1 }))).toBe(false)
  expect(isPbsSilent(aPbsServer())).toBe(false)
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
