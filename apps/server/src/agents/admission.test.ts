import { describe, expect, test } from 'vitest'
import { type AdmissionContext, admitReport, type ReportToken } from './admission.ts'
import { agentProtocol as protocol } from './protocol.ts'
import { newHost } from './host.ts'

const { limits } = protocol

const facts = {
  hostname: 'dock1',
  displayName: 'Dock 1',
  machineId: 'm1',
  cpus: 4,
  totalMemoryBytes: 1,
  intervalSeconds: 30,
}
const report = { hostId: 'a', facts }

const aToken = (change: Partial<ReportToken> = {}): ReportToken => ({
  id: 't1',
  name: 'one',
  hint: 'abcdef…1234',
  createdAt: 1_000,
  oneHost: true,
  boundHost: undefined,
  ...change,
})
const aHost = (change: object = {}) => ({
  ...newHost('docker-1', report, { id: 't1', name: 'one', hint: 'abcdef…1234' }, 0),
  ...change,
})
const bound = { boundHost: { id: 'a', name: 'Dock 1' } }
const admit = (known: Partial<AdmissionContext>, said: Partial<typeof facts> = {}) =>
  admitReport(
    { hostId: 'a', facts: { ...facts, ...said } },
    {
      protocol,
      host: undefined,
      removal: undefined,
      token: aToken(),
      isTokenLive: () => true,
      hosts: 0,
      hostsOfToken: 0,
      monotonic: 0,
      ...known,
    },
  )
const refusal = (code: string, message = /./) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })

describe('[S9] a token for one host', () => {
  test('is bound to the first host that reports with it', () => {
    expect(admit({})).toMatchObject({ isNew: true, binds: true, token: { id: 't1' } })
  })

  test('reports for that host and for no other', () => {
    expect(admit({ host: aHost(), token: aToken(bound) })).toEqual({ isNew: false })
    const other = aToken({ boundHost: { id: 'b', name: 'Dock 2' } })
    expect(() => admit({ token: other })).toThrow(refusal('docker_token_mismatch', /Dock 2/))
    expect(() => admit({ host: aHost(), token: other })).toThrow(refusal('docker_token_mismatch'))
  })

  test('any other token may serve several hosts', () => {
    expect(admit({ token: aToken({ oneHost: false }) })).toEqual({
      isNew: true,
      token: aToken({ oneHost: false }),
    })
  })
})

describe('[S9] a host listens to', () => {
  const second = aToken({ id: 't2', name: 'two' })

  test('the token that enrolled it and to no other one', () => {
    expect(() => admit({ host: aHost(), token: second })).toThrow(
      refusal('docker_token_mismatch', /"one".*prepare/),
    )
  })

  test('no other one when its own has ended, bound or not: the owner of one token does not get every host that lost its own', () => {
    const isTokenLive = (id: string) => id === 't2'
    for (const token of [second, { ...second, oneHost: false }])
      expect(() => admit({ host: aHost(), token, isTokenLive })).toThrow(
        refusal('docker_token_mismatch', /"one".*has ended.*prepare/),
      )
    expect(admit({ host: aHost(), token: { ...second, ...bound }, isTokenLive })).toMatchObject({
      isNew: false,
      token: { id: 't2' },
    })
  })

  test('no token but one prepared for it, when an administrator reported for it', () => {
    const host = aHost({ token: undefined, lastSeenAt: 1 })
    expect(() => admit({ host, token: second })).toThrow(
      refusal('docker_token_mismatch', /without a token.*prepare/),
    )
    expect(admit({ host, token: { ...second, ...bound } })).toMatchObject({ isNew: false })
  })

  test('the first one, while nothing but its name is known of it', () => {
    const host = aHost({ token: undefined })
    expect(admit({ host, token: second })).toMatchObject({ isNew: false, token: second, binds: true })
  })

  test('one that was prepared for it, at once', () => {
    expect(admit({ host: aHost(), token: { ...second, ...bound } })).toEqual({
      isNew: false,
      token: { ...second, ...bound },
    })
  })

  test('an administrator without a token', () => {
    expect(admit({ host: aHost(), token: undefined })).toEqual({ isNew: false })
  })
})

describe('a host that was removed', () => {
  const removal = { host_id: 'a', name: 'Dock 1', removed_at: 2_000, blocked_until: Date.UTC(2026, 0, 2) }

  test('gets an answer that says so, and what to do', () => {
    for (const token of [aToken(), undefined])
      expect(() => admit({ removal, token })).toThrow(
        refusal('docker_host_removed', /2026-01-02.*new token.*Settings → Docker hosts,/),
      )
  })

  test('is back with a token that was made after that', () => {
    expect(admit({ removal, token: aToken({ createdAt: 3_000 }) })).toMatchObject({
      isNew: true,
      unblocks: true,
    })
  })
})

describe('[facts/collection 3.4] two machines of one identity', () => {
  const there = aHost({ reportedAt: 0 })

  test('the one that is there keeps it: its figures do not flip', () => {
    for (const said of [{ machineId: 'm2' }, { hostname: 'dock2' }])
      expect(() => admit({ host: there, monotonic: 120_000 }, said)).toThrow(
        refusal('docker_identity_conflict', /--agent-id/),
      )
  })

  test('a machine that was renamed is let in when its old self is gone', () => {
    expect(admit({ host: there, monotonic: 120_001, token: aToken(bound) }, { hostname: 'dock2' })).toEqual({
      isNew: false,
    })
  })

  test('after a start of Pulse the first that reports has it', () => {
    expect(admit({ host: aHost(), token: aToken(bound) }, { hostname: 'dock2' })).toEqual({ isNew: false })
  })
})

test('there are 1,000 hosts at most', () => {
  expect(() => admit({ hosts: limits.hosts })).toThrow(refusal('docker_host_limit'))
  expect(admit({ hosts: limits.hosts, host: aHost(), token: aToken(bound) })).toEqual({ isNew: false })
})

test('[R18] one token, bound to a host or not, brings a share of them and leaves room for others', () => {
  expect(limits.hostsOfToken).toBeLessThan(limits.hosts)
  for (const token of [aToken({ oneHost: false }), undefined])
    expect(() => admit({ token, hostsOfToken: limits.hostsOfToken })).toThrow(
      refusal('docker_host_limit', /one token/),
    )
  expect(admit({ hostsOfToken: limits.hostsOfToken, host: aHost(), token: aToken(bound) })).toEqual({
    isNew: false,
  })
})
