import { describe, expect, test } from 'vitest'
import { aContainer, aReport } from './fixtures.ts'
import { identityOf } from '../report-fields.ts'
import { mostContainers, readReport } from './read-report.ts'

const only = (container: object) =>
  [...readReport({ ...aReport(), containers: [container] }).containers.values()][0]

describe('[facts/collection 3.1] a report of an agent of v4.25', () => {
  test('is read whole', () => {
    const report = readReport({ ...aReport(), timestamp: '2026-01-01T12:00:00Z' })
    expect(report).toMatchObject({
      hostId: 'ABCD:EFGH',
      sentAt: Date.UTC(2026, 0, 1, 12),
      uptimeSeconds: 86_400,
      cut: [],
      facts: {
        hostname: 'dock1',
        displayName: 'dock1',
        machineId: '0f3c',
        agentVersion: 'v4.25.0',
        dockerVersion: '26.1.0',
        cpus: 8,
        totalMemoryBytes: 16_700_000_000,
        intervalSeconds: 30,
      },
    })
    expect(report.containers.get('web')).toEqual({
      ...aContainer(),
      createdAt: Date.UTC(2026, 0, 1, 10),
      startedAt: Date.UTC(2026, 0, 1, 10, 0, 1),
      networks: [{ name: 'shop_default', ipv4: '172.18.0.2' }],
    })
  })

  test('[facts/collection 3.4] is identified by agent.id, else the machine id, else the host name, trimmed', () => {
    expect(identityOf([' a ', 'b', 'c'])).toBe('a')
    expect(identityOf([' ', 'b', 'c'])).toBe('b')
    expect(identityOf([undefined, '', 'c\n'])).toBe('c')
    expect(identityOf([undefined, 7, {}])).toBeUndefined()
  })

  test('is identified by a hash when its name is too long for a URL, never by a prefix', () => {
    const [one, other] = ['a', 'b'].map((end) => identityOf(['x'.repeat(300) + end]))
    expect(one).toMatch(/^h-[0-9a-f]{40}$/)
    expect(other).not.toBe(one)
    for (const name of ['a/b', '..', 'höst', 'a b', 'a\u0000b', '\ud800'])
      expect(identityOf([name])).toMatch(/^h-/)
    expect(identityOf(['ABCD:EFGH-1.2_3'])).toBe('ABCD:EFGH-1.2_3')
  })

  test('is accepted without optional fields', () => {
    const { facts, containers } = readReport({
      host: { hostname: 'h' },
      containers: [{ id: 'f'.repeat(64) }],
    })
    expect(facts).toEqual({
      hostname: 'h',
      displayName: 'h',
      cpus: 0,
      totalMemoryBytes: 0,
      intervalSeconds: 30,
    })
    expect([...containers.values()]).toEqual([
      {
        id: 'f'.repeat(64),
        name: 'f'.repeat(12),
        image: '',
        state: '',
        status: '',
        restartCount: 0,
        exitCode: 0,
      },
    ])
  })
})

describe('refused is only', () => {
  test.each([
    ['nothing', undefined],
    ['a text', 'report'],
    ['a list', []],
    ['a report of no host', { agent: {}, host: {}, containers: [] }],
    ['a host without a name', { agent: { id: 'a' }, host: {}, containers: [] }],
    ['a report without a list', { agent: { id: 'a' }, host: { hostname: 'a' } }],
    ['null for a list', { agent: { id: 'a' }, host: { hostname: 'a' }, containers: null }],
  ])('%s', (_what, body) => {
    expect(() => readReport(body)).toThrow(expect.objectContaining({ code: 'invalid_report' }))
  })
})

describe('[S13] invalid parts are left out', () => {
  test('an invalid or unnamed container, and nothing else of the report', () => {
    const containers = [null, 7, [], {}, { name: ' ' }, aContainer()]
    expect([...readReport({ ...aReport(), containers }).containers.keys()]).toEqual(['web'])
  })

  test('values of another type, or impossible ones', () => {
    const odd = only({
      name: 'a',
      image: 7,
      cpuPercent: '12',
      memoryUsageBytes: -1,
      memoryPercent: Infinity,
      restartCount: {},
      startedAt: '0001-01-01T00:00:00Z',
      createdAt: 'yesterday',
      finishedAt: 7,
      ports: 'none',
      labels: [],
      networks: { name: 'x' },
      unknown: true,
    })
    expect(odd).toEqual({
      id: 'a',
      name: 'a',
      image: '',
      state: '',
      status: '',
      restartCount: 0,
      exitCode: 0,
    })
  })

  test('unknown is not zero: figures that are not reported are absent', () => {
    expect(only({ name: 'a', unreadable: 'no answer within 5 s' })).toMatchObject({
      unreadable: 'no answer within 5 s',
    })
    expect(only({ name: 'a', cpuPercent: 0, memoryUsageBytes: 0 })).toMatchObject({
      cpuPercent: 0,
      memoryUsageBytes: 0,
    })
  })

  test('a second container of the same name', () => {
    const containers = [aContainer({ image: 'first' }), aContainer({ image: 'second' })]
    const read = readReport({ ...aReport(), containers }).containers
    expect([...read.values()].map(({ image }) => image)).toEqual(['first'])
  })
})

describe('overlong values are cut and marked', () => {
  test('texts, with an ellipsis', () => {
    const { containers, cut } = readReport(
      aReport({ containers: [aContainer({ image: 'i'.repeat(10_000) })] }),
    )
    expect(containers.get('web')!.image).toBe(`${'i'.repeat(511)}…`)
    expect(cut).toEqual(['texts'])
  })

  test('lists', () => {
    const containers = Array.from({ length: mostContainers + 5 }, (_, n) => aContainer({ name: `c${n}` }))
    const ports = Array.from({ length: 100 }, (_, n) => ({ privatePort: n + 1 }))
    const networks = Array.from({ length: 100 }, (_, n) => ({ name: `n${n}` }))
    Object.assign(containers[0]!, { ports, networks })
    const report = readReport(aReport({ containers }))
    expect(report.containers.size).toBe(mostContainers)
    expect(report.containers.get('c0')!.ports).toHaveLength(64)
    expect(report.containers.get('c0')!.networks).toHaveLength(32)
    expect(report.cut).toEqual(['containers', 'networks', 'ports'])
  })

  test('labels, except those that group containers', () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`a${n}`, 'x']))
    const { containers, cut } = readReport(
      aReport({ containers: [aContainer({ labels: { ...many, 'com.docker.compose.project': 'shop' } })] }),
    )
    const { labels } = containers.get('web')!
    expect(Object.keys(labels!)).toHaveLength(64)
    expect(labels!['com.docker.compose.project']).toBe('shop')
    expect(cut).toEqual(['labels'])
  })
})

test('[S18] markup stays text; line breaks and direction marks are removed', () => {
  const { name, status } = only({ name: '<img src=x onerror=alert(1)>', status: 'a\u202eb\nc\u0000\ud800' })!
  expect(name).toBe('<img src=x onerror=alert(1)>')
  expect(status).toBe('a\ufffdb\ufffdc\ufffd\ufffd')
})
