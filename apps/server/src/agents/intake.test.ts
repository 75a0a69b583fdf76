import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sender } from './intake.ts'
import { aYard, type Yard } from './fixtures.ts'
import { aContainer, aReport } from '../docker/fixtures.ts'

let yard: Yard
let sender: Sender & { tokenId: string }
beforeAll(async () => {
  yard = await aYard()
})
beforeEach(async () => {
  await yard.clear()
  sender = await yard.sender()
})
afterAll(() => yard.end())

const report = (change: Parameters<typeof aReport>[0] = {}, by: Sender = sender) =>
  yard.intake.report(aReport(change), by)
const containers = () => [...yard.state.tables.dockerContainers.values()]
const source = () => yard.state.tables.sources.get(yard.host()!.source)
const refusal = (code: string) => expect.objectContaining({ code })

describe('a report', () => {
  test('[facts/collection 3.2] is answered with what was taken and the time of this server', async () => {
    expect(await report({ timestamp: '2031-01-01T00:00:00Z' })).toEqual({
      success: true,
      hostId: 'ABCD:EFGH',
      containers: 1,
      lastSeen: '2026-01-01T12:00:00.000Z',
    })
  })

  test('is what is shown of the host, its containers and how it is doing', async () => {
    await report()
    expect(yard.host()).toMatchObject({
      hostname: 'dock1',
      status: 'online',
      cpus: 8,
      agentVersion: 'v4.25.0',
      intervalSeconds: 30,
      startedAt: Date.UTC(2025, 11, 31, 12),
      tokenId: sender.tokenId,
      hidden: false,
      pendingUninstall: false,
    })
    expect(containers()).toMatchObject([{ name: 'web', host: 'ABCD:EFGH', source: yard.host()!.source }])
    expect(source()).toEqual({
      name: 'docker-ABCD:EFGH',
      kind: 'docker',
      health: 'healthy',
      lastSeen: Date.UTC(2026, 0, 1, 12),
    })
  })

  test('replaces the one before it: what is no longer there is gone', async () => {
    await report({ containers: [aContainer(), aContainer({ name: 'db' })] })
    await report({ containers: [aContainer({ name: 'db' })] })
    expect(containers().map(({ name }) => name)).toEqual(['db'])
    await report({ containers: [] })
    expect(containers()).toEqual([])
  })

  test('that was on its way for longer than a later one undoes nothing: the host has only been heard of', async () => {
    const at = (second: number) => `2026-01-01T12:00:${String(second).padStart(2, '0')}Z`
    await report({ timestamp: at(20), containers: [aContainer({ name: 'db' })] })
    await report({ timestamp: at(5), host: { totalCpu: 2 }, containers: [] })
    expect(containers().map(({ name }) => name)).toEqual(['db'])
    expect(yard.host()).toMatchObject({ cpus: 8, status: 'online' })
    await report({ timestamp: at(21), containers: [] })
    expect(containers()).toEqual([])
  })

  test('of a host whose clock was set back by more than a minute counts at once', async () => {
    await report({ timestamp: '2026-01-01T12:05:00Z' })
    await report({ timestamp: '2026-01-01T12:03:59Z', containers: [] })
    expect(containers()).toEqual([])
  })

  test('[R20] of a host whose clock is a day off says when it came by ours, and that it is off', async () => {
    const timestamp = '2026-01-02T12:00:00Z'
    await report({ timestamp, containers: [aContainer({ startedAt: '2026-01-02T11:00:00Z' })] })
    expect(yard.host()!.clockAheadMinutes).toBe(24 * 60)
    expect(containers()[0]!.startedAt).toBe(Date.UTC(2026, 0, 1, 11))
    expect(source()!.lastSeen).toBe(Date.UTC(2026, 0, 1, 12))
  })

  test('enrols its host once, and says so', async () => {
    await report()
    await report()
    expect(yard.audited.map(({ event, target }) => [event, target])).toEqual([
      ['docker_host_enrolled', 'dock1'],
    ])
    expect(yard.news).toBe(1)
  })

  test('two hosts whose names run into another keep their containers apart', async () => {
    await report({ id: 'a', containers: [aContainer({ name: 'b:c' })] })
    await report({ id: 'a:b', containers: [aContainer({ name: 'c' })] }, await yard.sender())
    expect(containers().map(({ host }) => host)).toEqual(['a', 'a:b'])
  })
})

describe('[S9] a token', () => {
  test('binds to its first host, and is known to: it reports for no other', async () => {
    await report()
    expect(yard.tokens.get(sender.tokenId)!.boundHost).toEqual({ id: 'ABCD:EFGH', name: 'dock1' })
    await expect(report({ id: 'other' })).rejects.toEqual(refusal('docker_token_mismatch'))
    expect(yard.host('other')).toBeUndefined()
  })

  test('of another host changes nothing of this one, and that is written down', async () => {
    const other = await yard.sender()
    await report()
    await report({ id: 'other' }, other)
    await expect(report({ containers: [] }, other)).rejects.toEqual(refusal('docker_token_mismatch'))
    expect(containers()).toHaveLength(2)
    expect(yard.audited.at(-1)).toMatchObject({
      event: 'docker_report_refused',
      success: false,
      details: 'ABCD:EFGH: docker_token_mismatch',
    })
  })

  test('shown by two hosts at the same moment goes to one of them', async () => {
    const answers = await Promise.allSettled([report({ id: 'a' }), report({ id: 'b' })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(yard.hosts.all()).toHaveLength(1)
  })

  test('that may serve several does', async () => {
    const shared = await yard.sender({ scopes: ['docker:report'] })
    await report({ id: 'a' }, shared)
    await report({ id: 'b' }, shared)
    expect(yard.hosts.all()).toHaveLength(2)
  })

  test('that was revoked leaves its host to one that is prepared for it, and to no other', async () => {
    await report()
    await yard.tokens.revoke(sender.tokenId)
    await expect(report({}, await yard.sender())).rejects.toEqual(refusal('docker_token_mismatch'))
    const shared = await yard.sender({ scopes: ['docker:report'] })
    await expect(report({}, shared)).rejects.toEqual(refusal('docker_token_mismatch'))
    const next = await yard.sender()
    await yard.tokens.bind(next.tokenId, { id: 'ABCD:EFGH', name: 'dock1' })
    await report({}, next)
    expect(yard.host()!.tokenId).toBe(next.tokenId)
    expect(yard.audited.at(-1)).toMatchObject({ event: 'docker_host_changed' })
  })

  test('does not take over a host for which an administrator reported', async () => {
    const session = { ...sender, principal: { ...sender.principal, method: 'session' as const } }
    await report({}, session)
    expect(yard.host()!.tokenId).toBeUndefined()
    await expect(report()).rejects.toEqual(refusal('docker_token_mismatch'))
  })
})

describe('[S9] a token that ended while its report waited for its turn', () => {
  test('enrols no host', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    void yard.hosts.runExclusive(() => promise)
    const waiting = report()
    await yard.tokens.revoke(sender.tokenId)
    resolve()
    await expect(waiting).rejects.toEqual(refusal('authentication_required'))
    expect(yard.hosts.all()).toEqual([])
  })

  test('has no rights, because it never was an administrator', async () => {
    await report()
    await report({ id: 'other' }, await yard.sender())
    await yard.tokens.revoke(sender.tokenId)
    await expect(report({ id: 'other', containers: [] })).rejects.toEqual(refusal('authentication_required'))
    await expect(
      yard.intake.acknowledge('x', { hostId: 'other', status: 'completed' }, sender),
    ).rejects.toEqual(refusal('authentication_required'))
    expect(containers()).toHaveLength(2)
  })
})

describe('[facts/collection 3.4] two machines of one identity', () => {
  test('show as a conflict until the second one has been silent for ten minutes', async () => {
    await report()
    await expect(report({ host: { hostname: 'clone' } })).rejects.toEqual(refusal('docker_identity_conflict'))
    expect(yard.host()).toMatchObject({ hostname: 'dock1', conflict: { hostname: 'clone' } })
    for (let n = 0; n < 22; n++) {
      await yard.ground.clock.advance(30_000)
      await report()
    }
    expect(yard.host()!.conflict).toBeUndefined()
  })
})

describe('too many reports', () => {
  test('in bytes as they are unpacked are asked to wait before the next one is read, for one host or for many', async () => {
    const shared = await yard.sender({ scopes: ['docker:report'] })
    for (const [by, burst, perSecond] of [
      [sender, 8_000_000, 500_000],
      [shared, 24_000_000, 3_000_000],
    ] as const) {
      yard.intake.unpacked(by, burst - 1)
      yard.intake.checkRate(by)
      yard.intake.unpacked(by, 16_000_000)
      const wait = {
        code: 'rate_limit',
        headers: { 'retry-after': String(Math.ceil(16_000_000 / perSecond)) },
      }
      expect(() => yard.intake.checkRate(by)).toThrow(expect.objectContaining(wait))
      expect(() => yard.intake.unpacked(by, 1)).toThrow(expect.objectContaining(wait))
      await yard.ground.clock.advance(Math.ceil(16_000_000 / perSecond) * 1_000)
      yard.intake.checkRate(by)
    }
  })

  test('of one host are asked to wait', async () => {
    for (let n = 0; n < 30; n++) await report()
    await expect(report()).rejects.toMatchObject({ code: 'rate_limit', headers: { 'retry-after': '1' } })
    await yard.ground.clock.advance(1_000)
    await report()
  })

  test('[S9] of one token under the name of another host leave that host its own', async () => {
    const other = await yard.sender()
    await report()
    await report({ id: 'other' }, other)
    for (let n = 0; n < 60; n++) await expect(report({ id: 'ABCD:EFGH' }, other)).rejects.toThrow()
    await report()
    expect(yard.host()!.conflict).toBeUndefined()
  })

  test('[R17] of one token are asked to wait before they are read; a thousand hosts that come back are not', async () => {
    const shared = await yard.sender({ scopes: ['docker:report'] })
    for (let n = 0; n < 2_000; n++) yard.intake.checkRate(shared)
    expect(() => yard.intake.checkRate(shared)).toThrow(refusal('rate_limit'))
  })

  test('of a token for one host are asked to wait before they are read, as soon as that host is', () => {
    for (let n = 0; n < 30; n++) yard.intake.checkRate(sender)
    expect(() => yard.intake.checkRate(sender)).toThrow(refusal('rate_limit'))
  })
})

describe('over an end and a start', () => {
  test('hosts are there as they were last known, but unconfirmed; offline when they do not report in time', async () => {
    await report({ host: { os: 'Alpine' } })
    await yard.restart()
    expect(yard.host()).toMatchObject({
      os: 'Alpine',
      status: 'online',
      tokenId: sender.tokenId,
      staleSince: Date.UTC(2026, 0, 1, 12),
    })
    expect(source()).toMatchObject({ health: 'unknown', lastSeen: Date.UTC(2026, 0, 1, 12) })
    await yard.ground.clock.advance(140_000)
    expect(yard.host()).toMatchObject({ status: 'offline' })
    expect(source()).toMatchObject({ health: 'error' })
    await yard.restart()
    expect(yard.host()).toMatchObject({ status: 'offline' })
    await report()
    expect(yard.host()).toMatchObject({ status: 'online' })
  })

  test('one whose command expires meanwhile is offline like the others', async () => {
    await report()
    await yard.actions.remove('ABCD:EFGH', 'usual')
    for (let minute = 0; minute < 9; minute++) {
      await yard.ground.clock.advance(60_000)
      await report()
    }
    await yard.restart()
    await yard.ground.clock.advance(140_000)
    expect(yard.host()).toMatchObject({ status: 'offline', command: { status: 'expired' } })
    expect(source()).toMatchObject({ health: 'error' })
  })

  test('hidden ones stay hidden, and no report shows them again', async () => {
    await report()
    await yard.actions.remove('ABCD:EFGH', 'hide')
    await report()
    await yard.restart()
    await report()
    expect(yard.host()!.hidden).toBe(true)
    await yard.actions.unhide('ABCD:EFGH')
    expect(yard.host()!.hidden).toBe(false)
  })

  test('removed ones stay away, and bound tokens bound', async () => {
    await report()
    await yard.actions.remove('ABCD:EFGH', 'force')
    await yard.restart()
    await expect(report()).rejects.toEqual(refusal('docker_host_removed'))
    await expect(report({ id: 'other' })).rejects.toEqual(refusal('docker_token_mismatch'))
  })
})
