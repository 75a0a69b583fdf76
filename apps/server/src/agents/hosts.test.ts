import type { Observation } from '@pulse/domain'
import { aMeta, fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import type { AgentHostRow } from '../db/schema.ts'
import { docker } from '../docker/index.ts'
import { createState, type State } from '../state/state.ts'
import { createHostActions } from './actions.ts'
import { diagnoseAgents } from './diagnose.ts'
import { createHosts } from './hosts.ts'
import { createAgentKinds } from './kinds.ts'
import { createPresence } from './presence.ts'
import { agentProtocol as protocol } from './protocol.ts'

const aRow = (n: number, online: number): AgentHostRow => ({
  id: `docker-${n}`,
  host_id: `host${n}`,
  facts: JSON.stringify({ hostname: `host${n}`, displayName: `host${n}`, ...docker.nothingKnown }),
  token_id: null,
  token_name: null,
  token_hint: null,
  hidden: 0,
  pending_uninstall: 0,
  command: null,
  enrolled_at: 0,
  last_seen_at: null,
  online,
})

/** Stored hosts, and what is written while the database takes it. `former`: what the process that led before has said. */
function aFleet(online: readonly number[], former: readonly Observation[] = []) {
  const clock = fakeClock()
  const state = createState(aMeta())
  for (const said of former) state.observe(said)
  const adopted = new Set(former.map(({ source }) => source))
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  const writes: AgentHostRow[][] = []
  let isRefusing = false
  let isRefusingCalls = false
  const changes: Partial<AgentHostRow> = {}
  function demandWritable() {
    if (isRefusing) throw new Error('canceling statement due to statement timeout')
  }
  async function write(rows: readonly AgentHostRow[]) {
    demandWritable()
    writes.push([...rows])
  }
  const hosts = createHosts({
    protocol,
    kinds: createAgentKinds([docker]),
    store: {
      all: async () => online.map((one, n) => ({ ...aRow(n, one), ...changes })),
      removals: async () => [],
      async put(row) {
        if (isRefusingCalls) throw new Error('deadlock detected')
        await write([row])
      },
      putAll: write,
      remove: async () => demandWritable(),
      allow: async () => {},
    },
    state: {
      ...state,
      adopt: (source) => adopted.has(source),
      observe(observation) {
        adopted.delete(observation.source)
        state.observe(observation)
      },
    },
    clock,
    log,
  })
  const presence = createPresence({ protocol, hosts, clock, log, onNews: () => {} })
  return {
    clock,
    hosts,
    state,
    lines,
    writes,
    refuse: (refuses: boolean) => void (isRefusing = refuses),
    /** only what a call stores, not what is stored in the background */
    refuseCalls: (refuses: boolean) => void (isRefusingCalls = refuses),
    /** by another process */
    store: (change: Partial<AgentHostRow>) => void Object.assign(changes, change),
    async start() {
      await hosts.start()
      presence.start()
    },
    async stop() {
      presence.stop()
      await hosts.stop()
    },
  }
}

test('hosts that go offline at once are stored in one step, and those that were offline are not stored', async () => {
  const { clock, writes, start, stop } = aFleet([...Array.from({ length: 300 }, () => 1), 0, 0])
  await start()
  await clock.advance(10 * 60_000)
  expect(writes.map(({ length }) => length)).toEqual([300])
  expect(new Set(writes.flat().map(({ online }) => online))).toEqual(new Set([0]))
  await stop()
})

test('one that goes offline is stored without those that have only reported, which follow later and at the end', async () => {
  const { clock, hosts, writes, start, stop } = aFleet([1, 1, 1])
  await start()
  const [first, second, third] = hosts.all()
  for (const host of [first!, second!, third!]) hosts.touch(host)
  hosts.saveSoon(second!)
  await clock.advance(1_000)
  const stored = () => writes.map((rows) => rows.map(({ host_id }) => host_id))
  expect(stored()).toEqual([['host1']])
  hosts.saveSoon(third!)
  await stop()
  expect(stored().flat().toSorted()).toEqual(['host0', 'host1', 'host2'])
})

test('while the database refuses them, that is said once, and they are stored when it takes them', async () => {
  const { clock, lines, writes, refuse, start, stop } = aFleet(Array.from({ length: 20 }, () => 1))
  await start()
  refuse(true)
  await clock.advance(10 * 60_000)
  expect([lines.length, writes]).toEqual([1, []])
  refuse(false)
  await clock.advance(10_000)
  expect(writes.map(({ length }) => length)).toEqual([20])
  await stop()
})

test('a call that the database refuses loses nothing that a host has reported before', async () => {
  const { hosts, writes, refuse, start, stop } = aFleet([1, 1])
  await start()
  const [saved, removed] = hosts.all()
  hosts.touch(saved!)
  hosts.touch(removed!)
  refuse(true)
  await expect(hosts.save(saved!)).rejects.toThrow('canceling statement')
  await expect(hosts.remove(removed!)).rejects.toThrow('canceling statement')
  refuse(false)
  await stop()
  expect(writes.flat().map(({ host_id }) => host_id)).toEqual(['host0', 'host1'])
})

test('what the database has refused is not stored later', async () => {
  const { clock, hosts, writes, refuseCalls, start, stop } = aFleet([1])
  await start()
  const actions = createHostActions({ protocol, hosts, clock, onNews: () => {} })
  refuseCalls(true)
  await expect(actions.remove('host0', 'hide')).rejects.toThrow('deadlock')
  await clock.advance(1_000)
  await stop()
  expect(writes.flat().map((row) => row.hidden)).toEqual([0])
})

describe('[N 3] a host that the process that led before has spoken of', () => {
  const said = 1_700_000_000_000
  const host = {
    id: 'host0',
    agentId: 'host0',
    hostname: 'host0',
    displayName: 'host0',
    status: 'online',
    source: 'docker-0',
  }
  const former = {
    source: 'docker-0',
    records: {
      dockerHosts: new Map([['docker-0', { ...host, startedAt: 1 }]]),
      dockerContainers: new Map([
        ['docker-0:web', { id: 'web', name: 'web', state: 'running', source: 'docker-0' }],
      ]),
    },
    state: { name: 'docker-host0', kind: 'docker', health: 'healthy', lastSeen: said },
  } as unknown as Observation
  const shown = ({ tables }: State) => ({
    host: tables.dockerHosts.get('docker-0'),
    containers: [...tables.dockerContainers.values()],
    source: tables.sources.get('docker-0'),
  })

  test('is as that process has said, until it has had time to report; then its containers are old, and still there', async () => {
    const { clock, state, start, stop } = aFleet([1], [former])
    await start()
    await clock.advance(110_000)
    expect(shown(state)).toMatchObject({ host: { status: 'online' }, source: { health: 'healthy' } })
    await clock.advance(30_000)
    expect(shown(state)).toMatchObject({
      host: { status: 'offline', startedAt: 1, staleSince: said },
      containers: [{ name: 'web', staleSince: said }],
      source: { health: 'error', staleSince: said },
    })
    await stop()
  })

  test('is shown with what an administrator changes, and with its containers', async () => {
    const { clock, hosts, state, start, stop } = aFleet([1], [former])
    await start()
    const [own] = hosts.all()
    const actions = createHostActions({ protocol, hosts, clock, onNews: () => {} })
    await actions.remove(own!.id, 'hide')
    expect(shown(state)).toMatchObject({
      host: { hidden: true, status: 'online' },
      containers: [{ name: 'web' }],
      source: { health: 'unknown' },
    })
    await stop()
  })

  const formerWith = (change: object, health = 'healthy') =>
    ({
      ...former,
      records: { ...former.records, dockerHosts: new Map([['docker-0', { ...host, ...change }]]) },
      state: { ...former.state, health },
    }) as unknown as Observation

  test.each([
    ['offline', 1],
    ['online', 0],
  ])('is %s as that process has said, not as it is stored', async (status, stored) => {
    const said = formerWith({ status }, status === 'online' ? 'healthy' : 'error')
    const { hosts, state, start, stop } = aFleet([stored], [said])
    await start()
    hosts.show(hosts.all()[0]!)
    expect(shown(state).host).toMatchObject({ status })
    await stop()
  })

  test('is awaited for as long as its newest interval says, and keeps its name and version', async () => {
    const newest = { intervalSeconds: 150, displayName: 'web server', agentVersion: '2.0.0' }
    const { clock, hosts, state, start, stop } = aFleet([1], [formerWith(newest)])
    await start()
    await clock.advance(300_000)
    hosts.show(hosts.all()[0]!)
    expect(shown(state).host).toMatchObject({ ...newest, status: 'online' })
    await clock.advance(310_000)
    expect(shown(state).host).toMatchObject({ ...newest, status: 'offline' })
    await stop()
  })

  test.each([
    ['hidden', { hidden: 1 }, { hidden: true }],
    ['to be removed', { pending_uninstall: 1 }, { pendingUninstall: true }],
  ])('is shown as %s if that was stored after its last word', async (_, stored, expected) => {
    const { store, state, start, stop } = aFleet([1], [formerWith({ hidden: false })])
    store(stored)
    await start()
    expect(shown(state).host).toMatchObject({ ...expected, status: 'online' })
    await stop()
  })

  test('is as it is stored if it has reported since, to a process that was alone', async () => {
    const old = formerWith({ displayName: 'old name', intervalSeconds: 150 })
    const { store, state, start, stop } = aFleet([0], [old])
    store({ last_seen_at: said + 3_600_000 })
    await start()
    expect(shown(state)).toMatchObject({
      host: { displayName: 'host0', intervalSeconds: 30, status: 'offline' },
      containers: [{ name: 'web' }],
      source: { lastSeen: said + 3_600_000 },
    })
    await stop()
  })
})

test('a host that is awaited stays so for all who show it, also after a stop of the process', async () => {
  const { clock, hosts, state, start, stop } = aFleet([1])
  await start()
  await clock.advance(20_000)
  clock.suspend(300_000)
  await clock.advance(10_000)
  await hosts.reload()
  expect(state.tables.sources.get('docker-0')).toMatchObject({ health: 'unknown' })
  expect(state.tables.dockerHosts.get('docker-0')).toMatchObject({ status: 'online' })
  const diagnosed = diagnoseAgents({
    protocol,
    hosts: hosts.all(),
    recommended: undefined,
    monotonic: clock.monotonic(),
  })
  expect(diagnosed).toMatchObject({ hostsOnline: 1, otherHosts: [], attention: [{ status: 'online' }] })
  expect(JSON.stringify(diagnosed)).not.toContain('No report')
  await stop()
})
