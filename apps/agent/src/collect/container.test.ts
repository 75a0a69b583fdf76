import { describe, expect, test } from 'vitest'
import { fields, list } from '../engine/read.ts'
import { hasRecordings, recorded } from '../fixtures.ts'
import { type ContainerFacts, nameOf, toContainer } from './container.ts'

const hostBytes = 25_325_268_992

/** A container from two answers of a recorded engine. */
function recordedContainer(engine: string, name: string, facts: Partial<ContainerFacts> = {}) {
  const entries = list(recorded(engine, 'containers-all')).map(fields)
  return toContainer({
    listed: entries.find((entry) => nameOf(entry) === name) ?? {},
    inspected: fields(recorded(engine, `inspect-${name}`)),
    stats: undefined,
    cpuPercent: undefined,
    hostBytes,
    nowMs: Date.parse('2026-11-21T01:13:06Z'),
    unreadable: undefined,
    ...facts,
  })
}

describe.skipIf(!hasRecordings)('recorded engines', () => {
  const v1 = 'engine-20.10-cgroupv1'

  test('[facts 3.1] a running container, with all fields', () => {
    const stats = fields(recorded(v1, 'stats-web'))
    const { id, ...web } = recordedContainer(v1, 'web', { stats, cpuPercent: 1.23456 })
    expect(id).toMatch(/^[0-9a-f]{64}$/)
    expect(web).toEqual({
      name: 'web',
      image: 'tiny/busybox:1.35',
      createdAt: '2026-11-21T01:12:26.546636896Z',
      state: 'running',
      status: expect.stringMatching(/^Up .*\(healthy\)$/) as unknown,
      health: 'healthy',
      cpuPercent: 1.23,
      memoryUsageBytes: expect.any(Number) as unknown,
      memoryLimitBytes: hostBytes,
      memoryPercent: expect.any(Number) as unknown,
      uptimeSeconds: 38,
      restartCount: 0,
      exitCode: 0,
      startedAt: '2026-11-21T01:12:27.449588957Z',
      ports: expect.arrayContaining([
        { privatePort: 8080, publicPort: 18080, protocol: 'tcp', ip: '127.0.0.1' },
      ]) as unknown,
      labels: expect.objectContaining({ 'com.docker.compose.project': 'shop' }) as unknown,
      networks: [
        { name: 'back', ipv4: '172.31.6.2' },
        { name: 'front', ipv4: '172.31.5.2' },
      ],
    })
  })

  test.each([
    [v1, 'oom', { state: 'exited', exitCode: 137, oomKilled: true }, []],
    [v1, 'failed', { state: 'exited', exitCode: 137 }, ['oomKilled']],
    [v1, 'created', { state: 'created', uptimeSeconds: 0 }, ['startedAt', 'finishedAt']],
    [v1, 'paused', { state: 'paused' }, ['finishedAt']],
    [v1, 'sick', { state: 'running', health: 'unhealthy' }, []],
    [v1, 'flapper', { restartCount: expect.any(Number) as unknown }, []],
    ['engine-20.10-cgroupv2', 'oom', { state: 'exited', oomKilled: true }, []],
    ['engine-20.10-cgroupv2', 'sick', { health: 'unhealthy' }, []],
    ['podman-4.3-cgroupv1', 'web', { name: 'web', state: 'running' }, ['health']],
    [
      'podman-4.3-cgroupv1',
      'sick',
      { health: expect.stringMatching(/^(starting|unhealthy)$/) as unknown },
      [],
    ],
  ])('%s: %s', (engine, name, expected, absent) => {
    const container = recordedContainer(engine, name)
    expect(container).toMatchObject(expected)
    for (const field of absent) expect(container).not.toHaveProperty(field)
  })

  test.each([
    [v1, 'done'],
    ['engine-20.10-cgroupv2', 'done'],
    ['podman-4.3-cgroupv1', 'done'],
  ])('%s: one that has ended uses nothing, which is known without asking', (engine, name) => {
    expect(recordedContainer(engine, name)).toMatchObject({
      state: 'exited',
      exitCode: 0,
      uptimeSeconds: 0,
      cpuPercent: 0,
      memoryUsageBytes: 0,
      memoryLimitBytes: 0,
      memoryPercent: 0,
      finishedAt: expect.stringMatching(/^2026-/) as unknown,
    })
  })
})

const listed = {
  Id: 'c1',
  Names: ['/proxy/db', '/db'],
  Image: 'postgres:16',
  State: 'running',
  Status: 'Up 3 hours (unhealthy)',
  Created: 1_700_000_000,
}
const facts: ContainerFacts = {
  listed,
  inspected: undefined,
  stats: undefined,
  cpuPercent: undefined,
  hostBytes,
  nowMs: 0,
  unreadable: 'the engine did not answer in time',
}

test('a container that could not be read is reported as listed, without figures', () => {
  expect(toContainer(facts)).toEqual({
    id: 'c1',
    name: 'db',
    image: 'postgres:16',
    createdAt: '2023-11-14T22:13:20.000Z',
    state: 'running',
    status: 'Up 3 hours (unhealthy)',
    health: 'unhealthy',
    ports: [],
    labels: {},
    networks: [],
    unreadable: 'the engine did not answer in time',
  })
})

test('the exit code of a container that could not be read comes from its status', () => {
  const ended = { ...listed, State: 'exited', Status: 'Exited (137) 2 minutes ago' }
  expect(toContainer({ ...facts, listed: ended })).toMatchObject({ exitCode: 137, cpuPercent: 0 })
})

test('an image whose tag has moved has the name it was started with', () => {
  const inspected = { Config: { Image: 'app:latest' } }
  expect(toContainer({ ...facts, listed: { ...listed, Image: 'sha256:0abc' }, inspected }).image).toBe(
    'app:latest',
  )
  expect(toContainer({ ...facts, inspected }).image).toBe('postgres:16')
})

test.each([
  ['nothing', {}],
  [
    'other types',
    {
      Id: 7,
      Names: 'x',
      Image: null,
      State: 5,
      Status: [],
      Created: 'x',
      Ports: {},
      Labels: [],
      NetworkSettings: 'x',
    },
  ],
  [
    'odd entries',
    {
      Id: 'c',
      Names: [null, 3],
      Ports: [null, { PrivatePort: 'x' }],
      Labels: { a: 1, b: 'c' },
      Created: 1e300,
    },
  ],
])('an engine that answers with %s causes no failure', (_what, odd) => {
  const inspected = { State: odd, Config: odd, RestartCount: 'x', NetworkSettings: { Networks: [odd] } }
  const container = toContainer({ ...facts, listed: odd, inspected, stats: odd, cpuPercent: Number.NaN })
  expect(() => JSON.stringify(container)).not.toThrow()
  expect(container.ports).toEqual([])
})

test('labels, ports and networks of one container are bounded, at one more than servers keep', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => n)
  const { labels, ports, networks } = toContainer({
    listed: {
      Id: 'c0',
      Names: ['/c0'],
      Labels: Object.fromEntries([
        ...many(5_000).map((n) => [`label.${n}`, 'x'.repeat(5_000)]),
        ['com.docker.compose.project', 'shop'],
      ]),
      Ports: many(65_535).map((n) => ({ PrivatePort: n + 1, PublicPort: n + 1, Type: 'udp' })),
      NetworkSettings: { Networks: Object.fromEntries(many(500).map((n) => [`net-${n}`, {}])) },
    },
    inspected: undefined,
    stats: undefined,
    cpuPercent: undefined,
    hostBytes,
    nowMs: 0,
    unreadable: undefined,
  })
  expect(ports).toHaveLength(65)
  expect(networks).toHaveLength(33)
  expect(labels).toMatchObject({ 'com.docker.compose.project': 'shop', 'label.0': `${'x'.repeat(1_024)}…` })
  expect(JSON.stringify(labels).length).toBeLessThan(12_000)
})
