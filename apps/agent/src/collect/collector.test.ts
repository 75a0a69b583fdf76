import { reportLimits } from '@pulse/contract'
import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { EngineClient } from '../engine/client.ts'
import { aLog, anEngine, type Reply } from '../fixtures.ts'
import { Collector, type Limits, limits as usual } from './collector.ts'

const ids = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`)
const listOf = (count: number) =>
  ids(count).map((Id) => ({ Id, Names: [`/${Id}`], State: 'running', Status: 'Up' }))
const machine = { hostname: 'box', id: 'a'.repeat(32), isContainer: false, uptimeSeconds: () => 60.7 }
const info = {
  ID: 'ENGINE',
  Name: 'dock1',
  NCPU: 2,
  MemTotal: 1000,
  ServerVersion: '26.1',
  SystemTime: '2026-01-01T00:00:10Z',
}
const inspected = { State: { Status: 'running', StartedAt: '2026-01-01T00:00:00Z' } }
const stats = (total = 0) => ({
  cpu_stats: { cpu_usage: { total_usage: total }, online_cpus: 2 },
  memory_stats: { usage: 100, limit: 1000 },
})

interface World {
  version?: unknown
  info?: unknown
  list: unknown
  /** the reply about a container; undefined: no reply ever */
  container?: (id: string, what: string) => Reply | undefined
}

async function aCollector(world: World, limits: Partial<Limits> = {}) {
  const usually = (what: string): Reply => ({ body: what === 'json' ? inspected : stats() })
  const engine = await anEngine((path) => {
    const [, id, what = ''] = /\/containers\/(\w+)\/(\w+)/.exec(path) ?? []
    if (id) return (world.container ?? ((_id, what) => usually(what)))(id, what)
    if (path === '/version') return { body: world.version ?? { ApiVersion: '1.41' } }
    if (path.endsWith('/info')) return { body: world.info ?? info }
    return typeof world.list === 'number' ? { status: world.list } : { body: world.list }
  })
  const clock = fakeClock()
  const { log, lines } = aLog()
  const collector = new Collector({
    engine: new EngineClient(engine.address),
    machine,
    clock,
    log,
    limits: { ...usual, ...limits },
    settings: { hostname: undefined, agentId: undefined, version: '1.2.3', intervalMs: 30_000 },
  })
  return { collector, engine, clock, lines, usually }
}

test('[facts 3.1] a report describes the agent, the host and every container', async () => {
  const { collector, engine } = await aCollector({ list: listOf(2) })
  expect(await collector.collect()).toEqual({
    agent: { id: 'ENGINE', version: '1.2.3', intervalSeconds: 30 },
    host: {
      hostname: 'box',
      name: 'dock1',
      machineId: machine.id,
      dockerVersion: '26.1',
      totalCpu: 2,
      totalMemoryBytes: 1000,
      engine: 'docker',
      uptimeSeconds: 60,
    },
    containers: ids(2).map(
      (id) => expect.objectContaining({ id, cpuPercent: 0, memoryPercent: 10, uptimeSeconds: 10 }) as unknown,
    ),
    timestamp: '2026-01-01T12:00:00.000Z',
  })
  expect([...new Set(engine.asked.map(({ method }) => method))]).toEqual(['GET'])
  expect(engine.asked.map(({ path }) => path).toSorted()).toEqual([
    '/v1.41/containers/c0/json',
    '/v1.41/containers/c0/stats?stream=false',
    '/v1.41/containers/c1/json',
    '/v1.41/containers/c1/stats?stream=false',
    '/v1.41/containers/json?all=true',
    '/v1.41/info',
    '/version',
  ])
})

test('processor use is measured between two reports, and the engine takes one sample only', async () => {
  let total = 0
  const { collector, engine, clock } = await aCollector({
    list: listOf(1),
    container: (_id, what) => ({ body: what === 'json' ? inspected : stats(total) }),
  })
  expect((await collector.collect()).containers[0]!.cpuPercent).toBe(0)
  await clock.advance(30_000)
  total = 45e9
  expect((await collector.collect()).containers[0]!.cpuPercent).toBe(150)
  expect(engine.asked.at(-1)!.path).toContain('one-shot=true')
})

test('a container that hangs loses its own figures, is logged once, and comes back', async () => {
  let hangs = true
  const { collector, lines } = await aCollector(
    {
      list: listOf(3),
      container: (id, what) =>
        hangs && id === 'c1' && what === 'stats'
          ? undefined
          : { body: what === 'json' ? inspected : stats() },
    },
    { containerMs: 200 },
  )
  const { containers } = await collector.collect()
  expect(containers.map(({ id, memoryUsageBytes }) => [id, memoryUsageBytes])).toEqual([
    ['c0', 100],
    ['c1', undefined],
    ['c2', 100],
  ])
  expect(containers[1]).toMatchObject({
    state: 'running',
    unreadable: expect.stringContaining('did not answer') as unknown,
  })
  await collector.collect()
  hangs = false
  expect((await collector.collect()).containers[1]).toMatchObject({ memoryUsageBytes: 100 })
  expect(lines.filter((line) => line.includes('c1'))).toEqual([
    expect.stringContaining('WARN  container c1: The engine did not answer'),
    expect.stringContaining('INFO  container c1 can be read again'),
  ])
})

test('a container that was removed since it was listed is left out', async () => {
  const { collector, usually } = await aCollector({
    list: listOf(2),
    container: (id, what) =>
      id === 'c0' ? { status: 404, body: { message: 'No such container' } } : usually(what),
  })
  expect((await collector.collect()).containers.map(({ id }) => id)).toEqual(['c1'])
})

test('no figures are requested for a stopped container', async () => {
  const list = [{ Id: 'c0', Names: ['/c0'], State: 'exited', Status: 'Exited (3) a day ago' }]
  const { collector, engine } = await aCollector({
    list,
    container: () => ({ body: { State: { Status: 'exited', ExitCode: 3 } } }),
  })
  expect((await collector.collect()).containers[0]).toMatchObject({ exitCode: 3, cpuPercent: 0 })
  expect(engine.asked.filter(({ path }) => path.includes('/stats'))).toEqual([])
})

test.each([
  ['fails', 500],
  ['is no list', { message: 'x' }],
  ['is empty text', ''],
])('[facts 6.7] there is no report when the list of containers %s', async (_what, list) => {
  const { collector } = await aCollector({ list })
  await expect(collector.collect()).rejects.toThrow(/containers/)
})

test('an empty list of containers is reported', async () => {
  const { collector } = await aCollector({ list: [] })
  expect((await collector.collect()).containers).toEqual([])
})

test('the concurrency limit bounds the requests: two for each container', async () => {
  const { collector, engine } = await aCollector({ list: listOf(40) }, { concurrency: 4 })
  expect((await collector.collect()).containers).toHaveLength(40)
  expect(engine.most()).toBeLessThanOrEqual(8)
})

test('when the time of a cycle is over the remaining containers are reported as listed', async () => {
  const world: World = { list: listOf(4) }
  const { collector, clock, engine } = await aCollector(world, { concurrency: 1, cycleMs: 10_000 })
  world.container = (id, what) => {
    if (id === 'c1' && what === 'json') clock.suspend(60_000)
    return { body: what === 'json' ? inspected : stats() }
  }
  const { containers } = await collector.collect()
  expect(containers.map(({ unreadable }) => unreadable !== undefined)).toEqual([false, false, true, true])
  expect(engine.asked.some(({ path }) => path.includes('c3'))).toBe(false)
})

test('an engine that comes back is asked for its API version again', async () => {
  const world: World = { list: 500, version: { ApiVersion: '1.30' } }
  const { collector, engine } = await aCollector(world)
  await expect(collector.collect()).rejects.toThrow()
  world.list = []
  world.version = { ApiVersion: '1.44' }
  await collector.collect()
  expect(engine.asked.at(-1)!.path).toMatch(/^\/v1\.44\//)
})

test('Podman makes up an identity for each request: the one of the machine is used', async () => {
  const { collector } = await aCollector({
    version: { ApiVersion: '1.41', Components: [{ Name: 'Podman Engine' }] },
    list: [],
  })
  const { agent, host } = await collector.collect()
  expect(agent.id).toBe(machine.id)
  expect(host.engine).toBe('podman')
})

test('a report stays within the size limit of servers, whatever labels containers have', async () => {
  const labels = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, n) => [`label.${n}`, '\u0001'.repeat(500)]))
  const list = listOf(1_200).map((listed, n) => ({
    ...listed,
    State: 'exited',
    Labels: n % 2 ? labels(8) : { small: 'kept' },
  }))
  // a slow machine may take minutes for so many
  const unhurried = { engineMs: 600_000, containerMs: 600_000, cycleMs: 600_000 }
  const { collector, lines } = await aCollector(
    { list, container: () => ({ body: { State: { Status: 'exited' } } }) },
    unhurried,
  )
  const { containers, ...rest } = await collector.collect()
  expect(Buffer.byteLength(JSON.stringify({ ...rest, containers }))).toBeLessThan(reportLimits.bodyBytes)
  // one more than a server keeps, so that the server sees that containers are missing
  expect(containers.map(({ id }) => id)).toEqual(ids(1_001))
  for (const { labels } of containers.filter((_, n) => n % 2 === 0)) expect(labels).toEqual({ small: 'kept' })
  expect(containers.filter(({ labels }) => labels === undefined)).not.toEqual([])
  expect(lines).toEqual([expect.stringMatching(/WARN .*omitted/)])
  await collector.collect()
  expect(lines, 'once').toHaveLength(1)
})
