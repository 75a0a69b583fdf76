import { type LiveEvent, systemDefaults } from '@pulse/contract'
import { fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AppError } from '../app-error.ts'
import { createDiscovery, type DiscoverySettings } from './discovery.ts'
import { aConfig, aMachine, driveUntil, listenHttps, listenTcp, showPage, startPage } from './fixtures.ts'
import type { KnownNode } from './known.ts'

let blocks = 9
const pvePage = showPage(startPage('pve', 'pve1'))
const pve1 = { port: 8006, type: 'pve', version: '8.4.1', release: '8.4', hostname: 'pve1' }

/** A discovery area with its own block of loopback addresses. */
function given(change: Partial<DiscoverySettings> = {}) {
  const block = `127.31.${++blocks}`
  const clock = fakeClock()
  const events: LiveEvent[] = []
  const nodes: KnownNode[] = []
  const settings: DiscoverySettings = {
    ...systemDefaults,
    discoveryEnabled: true,
    discoverySubnet: `${block}.0/29`,
    ...change,
  }
  const area = createDiscovery({
    settings: () => settings,
    machine: aMachine(),
    nodes: () => nodes,
    names: {
      nameOf: () => Promise.resolve(undefined),
      addressesOf: (name) => Promise.resolve(name === 'pve1.lan' ? [`${block}.2`] : []),
    },
    clock,
    log: pino({ level: 'silent' }),
    publish: (event) => void events.push(event),
  })
  onTestFinished(() => area.stop())
  const types = () => events.map(({ type }) => type)
  const count = (type: string) => types().filter((one) => one === type).length
  const ended = (times = 1) => driveUntil(clock, () => count('discovery_complete') >= times)
  const subnets = () =>
    events.flatMap((event) => (event.type === 'discovery_started' ? [event.data.subnet] : []))
  return { area, block, clock, events, nodes, settings, types, count, ended, subnets }
}

async function settle<T>(clock: ReturnType<typeof fakeClock>, promise: Promise<T>): Promise<T> {
  let isDone = false
  void promise.finally(() => (isDone = true))
  await driveUntil(clock, () => isDone)
  return promise
}

describe('[spec 2 §4] discovery is off until it is switched on', () => {
  test('then nothing is scanned, nothing is known, and no user can scan', async () => {
    const { area, block, clock, events } = given({ discoveryEnabled: false })
    const listener = await listenHttps(`${block}.2`, 8006, pvePage)
    area.start()
    await clock.advance(600_000)
    await expect(area.scan({})).rejects.toMatchObject({ code: 'conflict' })
    await expect(area.scan({ subnet: `${block}.0/29` })).rejects.toBeInstanceOf(AppError)
    expect(area.latest()).toMatchObject({
      servers: [],
      errors: [],
      environment: null,
      cached: true,
      updated: 0,
      age: 0,
    })
    expect(events).toEqual([])
    expect(listener.connections).toBe(0)
    expect(clock.pending()).toBe(0)
  })

  test('switching it on scans a second later; switching it off forgets and ends it', async () => {
    const { area, block, clock, settings, ended, count } = given({ discoveryEnabled: false })
    await listenHttps(`${block}.2`, 8006, pvePage)
    area.start()
    settings.discoveryEnabled = true
    area.settingsChanged()
    await clock.advance(999)
    expect(count('discovery_started')).toBe(0)
    await ended()
    expect(area.latest()).toMatchObject({ servers: [{ ip: `${block}.2`, ...pve1 }], cached: true })
    settings.discoveryEnabled = false
    area.settingsChanged()
    expect(area.latest()).toMatchObject({ servers: [], cached: true, updated: 0, age: 0 })
    expect(clock.pending()).toBe(0)
  })

  test('a change of other settings is none', async () => {
    const { area, clock, ended, count } = given()
    area.start()
    await ended()
    area.settingsChanged()
    await clock.advance(60_000)
    expect(count('discovery_started')).toBe(1)
  })
})

describe('[N 3] a process that does not lead', () => {
  test('looks through no network, whatever changes, until it leads', async () => {
    const { area, block, clock, events, settings, ended, count } = given()
    const listener = await listenHttps(`${block}.2`, 8006, pvePage)
    settings.discoverySubnet = `${block}.0/30`
    area.settingsChanged()
    area.nodesChanged()
    await clock.advance(600_000)
    expect([events, listener.connections, clock.pending()]).toEqual([[], 0, 0])
    area.start()
    await ended()
    expect([count('discovery_complete'), listener.connections]).toEqual([1, 1])
  })
})

describe('[platform 10.5] a scan is reported while it runs', () => {
  test('the events come in their order, with times in seconds', async () => {
    const { area, block, clock, events, types, ended } = given()
    await listenHttps(`${block}.2`, 8006, pvePage)
    area.start()
    await ended()
    const seen = types()
    expect(seen[0]).toBe('discovery_started')
    expect(seen.slice(-2)).toEqual(['discovery_update', 'discovery_complete'])
    const inner = ['discovery_progress', 'discovery_server_found']
    expect(new Set(seen.slice(1, -2))).toEqual(new Set(inner))
    const server = { ip: `${block}.2`, ...pve1 }
    const at = { timestamp: expect.closeTo(clock.now() / 1000, -2) as number }
    const environment = {
      type: 'native',
      confidence: 1,
      phases: [{ name: 'manual_subnet', subnets: [`${block}.0/29`], confidence: 1 }],
      warnings: [],
      metadata: {},
    }
    expect(events[0]!.data).toEqual({ scanning: true, subnet: `${block}.0/29`, ...at })
    expect(events.find(({ type }) => type === 'discovery_server_found')!.data).toEqual({
      server,
      phase: 'manual_subnet',
      ...at,
    })
    expect(events.at(-2)!.data).toEqual({
      servers: [server],
      errors: [],
      structured_errors: [],
      environment,
      scanning: false,
      ...at,
    })
    expect(events.at(-1)!.data).toEqual({ scanning: false, environment, ...at })
  })

  test('every address of the subnet is contacted, and none beyond it', async () => {
    const { area, block, ended } = given()
    const inside = await Promise.all([1, 6].map((n) => listenHttps(`${block}.${n}`, 8007, pvePage)))
    const outside = await Promise.all([
      ...[0, 7, 8, 9].map((n) => listenTcp(`${block}.${n}`, 8006, () => undefined)),
      listenTcp(`${block}.3`, 8008, () => undefined),
    ])
    area.start()
    await ended()
    expect(inside.map(({ connections }) => connections)).toEqual([1, 1])
    expect(outside.map(({ connections }) => connections)).toEqual([0, 0, 0, 0, 0])
  })

  test('blocked addresses are not contacted, and the allow list is part of auto', async () => {
    const { area, block, settings, subnets, ended } = given({ discoverySubnet: 'auto' })
    settings.discoveryConfig = aConfig({
      subnet_allowlist: [`${block}.0/29`],
      subnet_blocklist: [`${block}.4/31`],
    })
    const [free, blocked] = await Promise.all([2, 5].map((n) => listenHttps(`${block}.${n}`, 8006, pvePage)))
    area.start()
    await ended()
    expect(subnets()).toEqual(['auto'])
    expect([free!.connections, blocked!.connections]).toEqual([1, 0])
    expect(area.latest().environment!.phases).toMatchObject([{ name: 'subnet_allowlist' }])
  })

  test('nothing to look through is said, not guessed', async () => {
    const { area, ended } = given({ discoverySubnet: 'auto' })
    area.start()
    await ended()
    expect(area.latest()).toMatchObject({
      servers: [],
      errors: ['Scope: This machine is not in a private network. Enter the subnets of your servers.'],
    })
  })
})

describe('[collection 5.1] when it scans', () => {
  test('at start and then every five minutes', async () => {
    const { area, clock, ended, count } = given()
    area.start()
    const startedAt = clock.now()
    await ended()
    await clock.advance(299_999 - (clock.now() - startedAt))
    expect(count('discovery_started')).toBe(1)
    await ended(2)
    expect(count('discovery_started')).toBe(2)
    expect(area.latest()).toMatchObject({ cached: true, age: 0, scanning: false })
    await clock.advance(7_000)
    expect(area.latest().age).toBe(7)
  })

  test('a second after the subnet was changed, and the scan of the old one ends', async () => {
    const { area, block, clock, settings, subnets, types, ended } = given()
    await listenTcp(`${block}.2`, 8006, () => undefined)
    area.start()
    await driveUntil(clock, () => types().includes('discovery_progress'))
    settings.discoverySubnet = `${block}.8/30`
    area.settingsChanged()
    await ended(2)
    expect(subnets()).toEqual([`${block}.0/29`, `${block}.8/30`])
    expect(types().filter((type) => type === 'discovery_update').length).toBe(1)
    expect(area.latest().environment!.phases[0]!.subnets).toEqual([`${block}.8/30`])
  })

  test('once after several changes of nodes; what was added is gone from the list at once', async () => {
    const { area, block, clock, nodes, events, ended, count } = given()
    await listenHttps(`${block}.2`, 8006, pvePage)
    await listenHttps(`${block}.3`, 8006, pvePage)
    area.start()
    await ended()
    nodes.push({ host: `https://${block}.3:8006` })
    for (let n = 0; n < 3; n++) {
      area.nodesChanged()
      await clock.advance(500)
    }
    expect(events.at(-1)).toMatchObject({
      type: 'discovery_update',
      data: { servers: [{ ip: `${block}.2` }], scanning: false },
    })
    expect(count('discovery_started')).toBe(1)
    await ended(2)
    expect(area.latest().servers.map(({ ip }) => ip)).toEqual([`${block}.2`])
  })

  test('stored subnets that make no sense are not scanned, nor taken for auto', async () => {
    const { area, clock, events } = given({ discoverySubnet: 'nonsense' })
    area.start()
    await clock.advance(10_000)
    expect(events).toEqual([])
  })
})

describe('[16.34] servers that are watched already are left out', () => {
  const rows: [string, (block: string) => KnownNode, number][] = [
    ['by address', (block) => ({ host: `https://${block}.2:8006` }), 0],
    ['by a name that leads there', () => ({ host: 'https://pve1.lan:8006' }), 0],
    [
      'as a member of a cluster',
      (block) => ({
        host: 'https://pve9.lan:8006',
        clusterEndpoints: [
          { NodeID: '1', NodeName: 'x', Host: 'https://x.lan:8006', IP: `${block}.2`, Online: true },
        ],
      }),
      0,
    ],
    ['but not by another port', (block) => ({ host: `https://${block}.2:8007` }), 1],
    ['nor by the name it gives itself', () => ({ host: 'https://pve1:8006' }), 1],
  ]
  test.each(rows)('%s', async (_how, node, left) => {
    const { area, block, nodes, ended, count } = given()
    await listenHttps(`${block}.2`, 8006, pvePage)
    nodes.push(node(block))
    area.start()
    await ended()
    expect(area.latest().servers.length).toBe(left)
    expect(count('discovery_server_found')).toBe(left)
  })
})

describe('[platform 10.5] a requested scan', () => {
  test('answers with what it found, fresh', async () => {
    const { area, block, clock } = given()
    await listenHttps(`${block}.2`, 8006, pvePage)
    const reply = await settle(clock, area.scan({}))
    expect(reply).toMatchObject({ servers: [{ ip: `${block}.2` }], cached: false, scanning: false })
    expect(reply.updated).toBe(reply.timestamp)
    expect(reply.updated).toBeGreaterThan(0)
    expect(reply).not.toHaveProperty('age')
    expect(area.latest()).toMatchObject({ servers: [{ ip: `${block}.2` }], cached: true })
  })

  test('of another subnet leaves the latest result alone', async () => {
    const { area, block, clock, ended } = given()
    await listenHttps(`${block}.10`, 8006, pvePage)
    area.start()
    await ended()
    const reply = await settle(clock, area.scan({ subnet: ` ${block}.8/29, auto ` }))
    expect(reply.servers).toMatchObject([{ ip: `${block}.10` }])
    expect(area.latest().servers).toEqual([])
  })

  test('with use_cache answers at once and scans nothing', async () => {
    const { area, events } = given()
    expect(await area.scan({ use_cache: true })).toMatchObject({ servers: [], cached: true, age: 0 })
    expect(events).toEqual([])
  })

  test('with subnets that are none is refused in the words of the form', async () => {
    const { area, events } = given()
    await expect(area.scan({ subnet: '10.0.0.0/33' })).rejects.toMatchObject({
      code: 'validation_failed',
      message: 'Use CIDR format such as 192.168.1.0/24 (comma-separated for multiple)',
    })
    expect(events).toEqual([])
  })

  test('is one with a scan of the same subnets, and the others have to wait', async () => {
    const { area, block, clock, count } = given()
    const both = [area.scan({}), area.scan({ subnet: `${block}.0/29` })]
    await expect(area.scan({ subnet: `${block}.8/29` })).rejects.toMatchObject({ code: 'conflict' })
    expect(area.latest().scanning).toBe(true)
    await settle(clock, Promise.all(both))
    expect(count('discovery_started')).toBe(1)
  })

  test('stands for the scan that was due after a change', async () => {
    const { area, clock, settings, count, ended } = given({ discoveryEnabled: false })
    area.start()
    settings.discoveryEnabled = true
    area.settingsChanged()
    await settle(clock, area.scan({}))
    await clock.advance(290_000)
    expect(count('discovery_started')).toBe(1)
    await ended(2)
  })

  test('goes before our own scan of something else, which comes back later', async () => {
    const { area, block, clock, types, subnets, ended } = given()
    await listenTcp(`${block}.2`, 8006, () => undefined)
    area.start()
    await driveUntil(clock, () => types().includes('discovery_progress'))
    const reply = area.scan({ subnet: `${block}.8/29` })
    await settle(clock, reply)
    await driveUntil(clock, () => subnets().length === 3, 5_000)
    await ended(3)
    expect(subnets()).toEqual([`${block}.0/29`, `${block}.8/29`, `${block}.0/29`])
    const pairs = types().filter((type) => /started|complete/.test(type))
    expect(pairs).toEqual(
      ['started', 'complete', 'started', 'complete', 'started', 'complete'].map((t) => `discovery_${t}`),
    )
  })
})

describe('[collection 5.1] no scan goes on for ever', () => {
  const slow = aConfig({ max_concurrent: 1, dial_timeout_ms: 30_000 })
  test.each([
    ['our own after two minutes', false, 120],
    ['a requested one after a minute', true, 60],
  ])('%s, and what was found until then counts', async (_which, isManual, seconds) => {
    const { area, block, clock, events, count } = given({ discoveryConfig: slow })
    await listenHttps(`${block}.1`, 8006, pvePage)
    const silent = await Promise.all(
      [2, 3, 4, 5, 6].flatMap((n) =>
        [8006, 8007].map((port) => listenTcp(`${block}.${n}`, port, () => undefined)),
      ),
    )
    const startedAt = clock.now()
    const reply = isManual ? area.scan({}) : (area.start(), undefined)
    await driveUntil(clock, () => count('discovery_server_found') === 1)
    await driveUntil(clock, () => count('discovery_complete') === 1, 500)
    expect((clock.now() - startedAt) / 1000).toBeCloseTo(seconds, 0)
    await reply
    expect(area.latest()).toMatchObject({
      servers: [{ ip: `${block}.1` }],
      cached: true,
      structured_errors: expect.arrayContaining([
        expect.objectContaining({ error_type: 'timeout', phase: 'manual_subnet' }),
      ]) as unknown,
    })
    expect(area.latest().errors.at(-1)).toMatch(
      /The scan reached its time limit: \d of 6 addresses were scanned\./,
    )
    expect(events.at(-2)).toMatchObject({
      type: 'discovery_update',
      data: { servers: [{ ip: `${block}.1` }] },
    })
    expect(silent.reduce((sum, { connections }) => sum + connections, 0)).toBeLessThan(5)
  })

  test('stopping ends it at once and answers waiting callers', async () => {
    const { area, block, clock, types, events } = given({ discoveryConfig: slow })
    const listener = await listenTcp(`${block}.1`, 8006, () => undefined)
    const reply = area.scan({})
    await driveUntil(clock, () => listener.connections === 1)
    await area.stop()
    expect((await reply).errors.at(-1)).toMatch(/stopped early/)
    expect(types().at(-1)).toBe('discovery_complete')
    const before = events.length
    await expect(area.scan({})).rejects.toMatchObject({ code: 'conflict' })
    area.nodesChanged()
    await clock.advance(600_000)
    expect(events.length).toBe(before)
    expect(listener.connections).toBe(1)
    expect(clock.pending()).toBe(0)
  })
})
