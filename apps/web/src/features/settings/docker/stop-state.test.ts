import type { DockerCommand } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { aCommand } from './fake-docker.tsx'
import {
  failureReason,
  newerCommand,
  removalActions,
  removalText,
  stopBadges,
  stopPhase,
  stopSteps,
} from './stop-state.ts'

describe('[spec 2 §4] a command of the status', () => {
  test.each([
    { status: 'queued', phase: 'stopping', badge: 'Stopping' },
    { status: 'dispatched', phase: 'stopping', badge: 'Stopping' },
    { status: 'acknowledged', phase: 'stopping', badge: 'Stopping' },
    { status: 'completed', phase: 'stopped', badge: 'Stopped' },
    { status: 'failed', phase: 'failed', badge: 'Failed' },
    { status: 'expired', phase: 'failed', badge: 'Failed' },
  ] as const)('$status has the badge $badge', ({ status, phase, badge }) => {
    expect(stopPhase({ command: aCommand({ status }), pendingUninstall: false })).toBe(phase)
    expect(stopBadges[phase]?.text).toBe(badge)
  })

  test('failed or expired is shown although the host is still marked for uninstall', () => {
    for (const status of ['failed', 'expired'] as const) {
      expect(stopPhase({ command: aCommand({ status }), pendingUninstall: true })).toBe('failed')
    }
  })
})

test('[spec 2 §4] a host that is marked for uninstall counts as being stopped', () => {
  const phase = stopPhase({ command: undefined, pendingUninstall: true })
  expect(stopBadges[phase]?.text).toBe('Stopping')
})

test('a host that is not to be stopped has no badge', () => {
  expect(stopBadges[stopPhase({ command: undefined, pendingUninstall: false })]).toBeUndefined()
})

describe('[spec 2 §2] the table offers', () => {
  test.each([
    { online: true, phase: 'none', text: 'Remove' },
    { online: true, phase: 'stopping', text: 'Remove' },
    { online: true, phase: 'by-hand', text: 'Remove' },
    { online: true, phase: 'failed', text: 'Force remove' },
    { online: true, phase: 'stopped', text: 'Clean up pending host' },
    { online: false, phase: 'none', text: 'Remove offline host' },
    { online: false, phase: 'stopping', text: 'Clean up pending host' },
    { online: false, phase: 'by-hand', text: 'Clean up pending host' },
    { online: false, phase: 'failed', text: 'Force remove' },
    { online: false, phase: 'stopped', text: 'Clean up pending host' },
  ] as const)('$text when online is $online and the stop is $phase', ({ online, phase, text }) => {
    expect(removalText(online, phase)).toBe(text)
  })
})

describe('[spec 2 §4] the dialog offers', () => {
  test.each([
    { when: 'it is online', online: true, phase: 'none', actions: ['stop', 'force', 'hide'] },
    { when: 'it is being stopped', online: true, phase: 'stopping', actions: ['force', 'hide'] },
    { when: 'it is taken off by hand', online: true, phase: 'by-hand', actions: ['stop', 'force', 'hide'] },
    { when: 'the stop failed', online: true, phase: 'failed', actions: ['retry', 'force', 'hide'] },
    { when: 'its agent has stopped', online: true, phase: 'stopped', actions: ['remove', 'hide'] },
    { when: 'it is offline', online: false, phase: 'none', actions: ['remove', 'hide'] },
    { when: 'it went offline meanwhile', online: false, phase: 'stopping', actions: ['remove', 'hide'] },
    { when: 'it is gone by hand', online: false, phase: 'by-hand', actions: ['remove', 'hide'] },
    { when: 'it failed and is offline', online: false, phase: 'failed', actions: ['force', 'hide'] },
  ] as const)('$actions when $when', ({ online, phase, actions }) => {
    expect(removalActions({ isOnline: online, phase, hidden: false })).toEqual(actions)
  })

  test('no hiding of what is hidden', () => {
    expect(removalActions({ isOnline: false, phase: 'none', hidden: true })).toEqual(['remove'])
  })
})

describe('[spec 2 §2] the progress list', () => {
  const states = (command: Parameters<typeof aCommand>[0]) =>
    stopSteps(aCommand(command)).map(({ state }) => state)

  test('names every step', () => {
    expect(stopSteps(aCommand()).map(({ text }) => text)).toEqual([
      'Stop command queued',
      'Sent to the agent with its next report',
      'Confirmed by the agent, which is stopping',
      'Agent stopped, cleaning up',
      'Host removed',
    ])
  })

  test.each([
    ['queued', ['done', 'active', 'waiting', 'waiting', 'waiting']],
    ['dispatched', ['done', 'done', 'active', 'waiting', 'waiting']],
    ['acknowledged', ['done', 'done', 'done', 'active', 'waiting']],
    ['completed', ['done', 'done', 'done', 'done', 'active']],
  ] as const)('of a command that is %s', (status, expected) => {
    expect(states({ status })).toEqual(expected)
  })

  test.each<[Partial<DockerCommand>, string[]]>([
    [{}, ['done', 'failed', 'waiting', 'waiting', 'waiting']],
    [{ dispatchedAt: 2 }, ['done', 'done', 'failed', 'waiting', 'waiting']],
    [{ dispatchedAt: 2, acknowledgedAt: 3 }, ['done', 'done', 'done', 'failed', 'waiting']],
  ])('shows where a stop with %j failed or expired', (times, expected) => {
    for (const status of ['failed', 'expired'] as const)
      expect(states({ status, ...times })).toEqual(expected)
  })
})

test.each([
  ['systemctl: not found', 'systemctl: not found'],
  [undefined, 'Pulse could not stop the agent automatically.'],
  [' ', 'Pulse could not stop the agent automatically.'],
])('[spec 2 §8] a stop that failed because of %j says: %s', (reason, text) => {
  expect(failureReason(reason === undefined ? {} : { failureReason: reason })).toBe(text)
})

test('an answer that is ahead of the live state counts, an older one does not', () => {
  const [first, second] = [aCommand({ id: 'a', createdAt: 1 }), aCommand({ id: 'b', createdAt: 2 })]
  expect(newerCommand(undefined, first)).toBe(first)
  expect(newerCommand(first, second)).toBe(second)
  expect(newerCommand(second, first)).toBe(second)
  const moved = aCommand({ ...second, status: 'dispatched' })
  expect(newerCommand(moved, second)).toBe(moved)
  expect(newerCommand(undefined, undefined)).toBeUndefined()
})
