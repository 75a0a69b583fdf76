import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { agentKind, type AgentReport, type HostFacts } from '../agent-kind.ts'
import { dockerAgents } from '../docker/index.ts'
import { aYard, type Yard } from './fixtures.ts'
import type { Sender } from './intake.ts'

/** Keeps the number of its reports, and shows no records. */
const counters = agentKind<HostFacts, AgentReport, number>({
  ...dockerAgents,
  noun: 'counter',
  nothingKept: 0,
  limits: { ...dockerAgents.limits, hosts: 1 },
  read: (body) => ({
    hostId: body as string,
    facts: { hostname: body as string, displayName: body as string, intervalSeconds: 30 },
  }),
  keep: (_report, { kept }) => ({ kept: kept + 1, cut: [], bytes: 1, clockAheadMinutes: 0 }),
  records: () => ({}),
  counts: (kept) => ({ containers: kept }),
})

let yard: Yard
let sender: Sender
beforeAll(async () => {
  yard = await aYard(counters)
})
beforeEach(async () => {
  await yard.clear()
  sender = await yard.sender({ scopes: ['docker:report'] })
})
afterAll(() => yard.end())

const report = (host: string) => yard.intake.report(host, sender)

test('a kind reads reports, and gets back what it kept of the one before', async () => {
  expect(await report('a')).toMatchObject({ hostId: 'a', containers: 1 })
  expect(await report('a')).toMatchObject({ hostId: 'a', containers: 2 })
})

test('a stored host keeps nothing of its reports over a restart', async () => {
  await report('a')
  await yard.restart()
  expect(yard.hosts.byId('a')).toMatchObject({ kept: 0, isOnline: false })
})

test('limits and texts are those of the kind', async () => {
  await report('a')
  await expect(report('b')).rejects.toThrow('Pulse watches 1 counters at most')
  await yard.ground.clock.advance(130_000)
  expect(yard.ground.lines.map(({ msg }) => msg)).toEqual(
    expect.arrayContaining(['new counter registered', 'counter offline: its agent does not report']),
  )
})

test('its hosts are sources without records of another kind', async () => {
  await report('a')
  expect([...yard.state.tables.sources.values()]).toMatchObject([{ name: 'docker-a', health: 'healthy' }])
  expect(yard.state.tables.dockerHosts.size).toBe(0)
})
