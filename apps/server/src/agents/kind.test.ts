import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { agentKind, type AgentReport, type HostFacts } from '../agent-kind.ts'
import { aYard, type Yard } from './fixtures.ts'
import type { Sender } from './intake.ts'
import { agentProtocol } from './protocol.ts'

interface CounterReport {
  agent: { id: string; kind: 'counter' }
}

/** A kind that counts its reports and has no records. */
const counters = agentKind<HostFacts, AgentReport, number>({
  name: 'counter',
  nothingKept: 0,
  nothingKnown: { intervalSeconds: 30 },
  read(body) {
    const { id } = (body as CounterReport).agent
    return { hostId: id, facts: { hostname: id, displayName: id, intervalSeconds: 30 } }
  },
  keep: (_report, { kept }) => ({ kept: kept + 1, cut: [], bytes: 1, clockAheadMinutes: 0 }),
  records: () => ({}),
  keptIn: () => undefined,
  counts: (kept) => ({ containers: kept }),
})

let yard: Yard
let sender: Sender
beforeAll(async () => {
  yard = await aYard([counters], { ...agentProtocol, limits: { ...agentProtocol.limits, hosts: 2 } })
})
beforeEach(async () => {
  await yard.clear()
  sender = await yard.sender({ scopes: ['docker:report'] })
})
afterAll(() => yard.end())

const report = (id: string) => yard.intake.report({ agent: { id, kind: 'counter' } }, sender)
const ofDocker = (id: string, kind?: string) =>
  yard.intake.report(
    { agent: { id, ...(kind && { kind }) }, host: { hostname: `machine-${id}` }, containers: [] },
    sender,
  )

test('a kind reads the reports that name it, and gets back what it kept of the one before', async () => {
  expect(await report('a')).toMatchObject({ hostId: 'a', containers: 1 })
  expect(await report('a')).toMatchObject({ hostId: 'a', containers: 2 })
})

test.each([undefined, 'unknown'])('a report of the kind %s is one of a container host', async (kind) => {
  expect(await ofDocker('b', kind)).toMatchObject({ hostId: 'b', containers: 0 })
  expect(yard.host('b')).toBeDefined()
})

test('after a restart a stored host is of the same kind, which has kept nothing', async () => {
  await report('a')
  await yard.restart()
  expect(yard.hosts.byId('a')).toMatchObject({ kept: 0, isOnline: false })
  expect(await report('a')).toMatchObject({ containers: 1 })
})

test('the limits hold for all kinds together', async () => {
  await report('a')
  await ofDocker('b')
  await expect(report('c')).rejects.toThrow('Pulse monitors at most 2 Docker hosts')
})

test('an identity belongs to one kind: a report of another is refused, and the host goes on', async () => {
  await report('a')
  await expect(ofDocker('a')).rejects.toThrow('an agent of another kind')
  expect(yard.audited.at(-1)).toMatchObject({ event: 'docker_report_refused', success: false })
  expect(await report('a')).toMatchObject({ containers: 2 })
})

test('of two first reports at once, of different kinds under one identity, one is refused and its host stays whole', async () => {
  const both = await Promise.allSettled([report('a'), ofDocker('a')])
  expect(both).toMatchObject([
    { status: 'fulfilled', value: { containers: 1 } },
    { status: 'rejected', reason: { code: 'docker_identity_conflict' } },
  ])
  expect(await report('a')).toMatchObject({ containers: 2 })
})

test('a token of another host learns nothing of a host by naming another kind, and marks no conflict on it', async () => {
  await ofDocker('b')
  sender = await yard.sender({ scopes: ['docker:report'] })
  await expect(report('b')).rejects.toMatchObject({ code: 'docker_token_mismatch' })
  expect(yard.host('b')?.conflict).toBeUndefined()
})

test.each(['constructor', '__proto__', 'toString', 'counter-', ['counter'], 7, null])(
  'a report of the kind %j is one of a container host too',
  async (kind) => {
    const body = `{"agent":{"id":"b","kind":${JSON.stringify(kind)}},"host":{"hostname":"b"},"containers":[]}`
    expect(await yard.intake.report(JSON.parse(body), sender)).toMatchObject({ hostId: 'b', containers: 0 })
  },
)

test('its hosts are sources without records of another kind', async () => {
  await report('a')
  expect([...yard.state.tables.sources.values()]).toMatchObject([{ name: 'counter-a', health: 'healthy' }])
  expect(yard.state.tables.dockerHosts.size).toBe(0)
})
