import { expect, test } from 'vitest'
import { diagnoseAgents } from './diagnose.ts'
import type { Host } from '../agent-kind.ts'
import { agentProtocol as protocol } from './protocol.ts'
import { newHost } from './host.ts'

const NOW = Date.UTC(2026, 0, 1, 12)
const MINUTE = 60_000
/** by the monotonic clock */
const now = 20 * MINUTE

const aHost = (
  name: string,
  change: Partial<Host> = {},
  agentVersion: string | undefined = '5.1.0',
): Host => ({
  ...newHost(
    `docker-${name}`,
    {
      hostId: name,
      facts: {
        hostname: name,
        displayName: name,
        intervalSeconds: 30,
        ...(agentVersion !== undefined && { agentVersion }),
      },
    },
    { id: `token of ${name}`, name, hint: 'abcdef…1234' },
    NOW,
  ),
  isOnline: true,
  lastSeenAt: NOW,
  ...change,
})

const issuesOf = (...hosts: Host[]) =>
  Object.fromEntries(
    diagnoseAgents({ protocol, hosts, recommended: '5.1.0', monotonic: now }).attention!.map(
      ({ name, issues }) => [name, issues],
    ),
  )

test('[facts/platform 13] a host with which nothing is wrong needs no attention', () => {
  expect(diagnoseAgents({ protocol, hosts: [aHost('a')], recommended: '5.1.0', monotonic: now })).toEqual({
    hostsTotal: 1,
    hostsOnline: 1,
    hostsReportingVersion: 1,
    hostsWithTokenBinding: 1,
    hostsWithoutTokenBinding: 0,
    hostsWithoutVersion: 0,
    hostsOutdatedVersion: 0,
    hostsWithStaleCommand: 0,
    hostsPendingUninstall: 0,
    hostsNeedingAttention: 0,
    recommendedAgentVersion: '5.1.0',
    attention: [],
    otherHosts: [
      {
        hostId: 'a',
        name: 'a',
        status: 'online',
        agentVersion: '5.1.0',
        tokenHint: 'abcdef…1234',
        lastSeen: '2026-01-01T12:00:00.000Z',
        issues: [],
      },
    ],
    notes: [],
  })
})

test('each host is listed once, so that a token can be prepared for it', () => {
  const hosts = [aHost('a'), aHost('b', { isOnline: false }), aHost('c')]
  const { attention, otherHosts } = diagnoseAgents({ protocol, hosts, recommended: '5.1.0', monotonic: now })
  const namesOf = (list: typeof attention) => list!.map(({ name }) => name)
  expect([namesOf(attention), namesOf(otherHosts)]).toEqual([['b'], ['a', 'c']])
})

test.each<[what: string, host: Host, issue: RegExp]>([
  [
    'silent for more than ten minutes',
    aHost('a', { isOnline: false, reportedAt: now - 11 * MINUTE }),
    /10 minutes/,
  ],
  ['offline', aHost('a', { isOnline: false, reportedAt: now - 5 * MINUTE }), /^Offline/],
  ['not heard of since a start', aHost('a', { isOnline: false }), /since Pulse was started/],
  ['of an older version', aHost('a', {}, '5.0.0'), /5\.0\.0.*5\.1\.0/],
  ['without a token', aHost('a', { token: undefined }), /without a token/],
  ['to be uninstalled', aHost('a', { pendingUninstall: true }), /uninstalled/],
  ['one of two machines', aHost('a', { conflict: { hostname: 'clone', since: NOW, lastAt: NOW } }), /clone/],
  ['with a wrong clock', aHost('a', { clockAheadMinutes: -90 }), /90 min behind/],
  ['with a report that is too long', aHost('a', { cut: ['labels'] }), /labels/],
  [
    'that did not answer',
    aHost('a', {
      command: { id: 'c', type: 'stop', status: 'expired', createdAt: NOW - 16 * MINUTE, updatedAt: NOW },
    }),
    /within 10 minutes/,
  ],
])('a host that is %s does', (_what, host, issue) => {
  expect(issuesOf(host)['a']).toEqual([expect.stringMatching(issue)])
})

test('hosts that share a token are listed as such', () => {
  const token = { id: 'one', name: 'one', hint: '' }
  expect(issuesOf(aHost('a', { token }), aHost('b', { token }))).toEqual({
    a: ['Its token serves 1 more host.'],
    b: ['Its token serves 1 more host.'],
  })
})

test('an agent of the older product is not one of ours in an older version', () => {
  const { hostsOutdatedVersion, attention, notes } = diagnoseAgents({
    protocol,
    hosts: [aHost('a', {}, 'v4.25.0')],
    recommended: '5.1.0',
    monotonic: now,
  })
  expect({ hostsOutdatedVersion, attention }).toEqual({ hostsOutdatedVersion: 0, attention: [] })
  expect(notes![0]).toMatch(/Pulse 4\.x/)
})
