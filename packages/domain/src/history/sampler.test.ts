import { figures, kinds, type MailGateway, type SourceState } from '@pulse/contract'
import { aDockerContainer, aGuest, aMailGateway, aNode, aStorage } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createEstate } from '../estate.ts'
import { atOnce } from '../wire/in-steps.ts'
import { ByteReader, ByteWriter } from './bytes.ts'
import { Sampler, sampledFields } from './sampler.ts'
import { absent, readSeries, writeSeries } from './series.ts'

const T0 = 1_790_000_000_000

const aSource = (change: Partial<SourceState>): SourceState => ({
  name: 'main',
  kind: 'pve',
  health: 'healthy',
  ...change,
})

function given() {
  const estate = createEstate()
  const sampler = new Sampler({
    tables: estate.tables,
    numberOf: (field) => sampledFields.indexOf(field),
    thingOf: (_kind, id) => Number(id.split(':').at(-1)!.replaceAll(/\D/g, '')),
  })
  let at = T0
  return {
    estate,
    /** an answer of the source with these guests, ten seconds after the one before */
    answer(change: Parameters<typeof aGuest>[0] = {}) {
      at += 10_000
      estate.observe(
        'main',
        { guests: new Map([['main:100', aGuest({ source: 'main', vmid: 100, ...change })]]) },
        { state: aSource({ lastSeen: at }) },
      )
    },
    tick: () => atOnce(sampler.tick()),
    /** the sample of a guest's figure in the next tick */
    sample(name: string) {
      const field = sampledFields.findIndex((one) => one.kind === 'guests' && one.name === name)
      return atOnce(sampler.tick()).find((column) => column.field === field)?.values[0]
    },
  }
}

test('[design 14] the catalogue of figures is the list of what is sampled', () => {
  const names = sampledFields.map(({ kind, name }) => `${kind}.${name}`)
  expect(names).toContain('guests.cpu')
  expect(names).toContain('physicalDisks.lifeRemaining')
  expect(names).not.toContain('guests.startTime')
  expect(new Set(names).size).toBe(names.length)
})

test('[design 14] the restarts of a container are sampled between two runs, too', () => {
  const { estate, tick } = given()
  const columnOf = (name: string) => {
    const field = sampledFields.findIndex((one) => one.kind === 'dockerContainers' && one.name === name)
    return (columns: ReturnType<typeof tick>) =>
      Array.from(columns.find((column) => column.field === field)?.values ?? [])
  }
  const container = aDockerContainer({ state: 'restarting', restartCount: 4 })
  const { key } = kinds.dockerContainers
  const sources = new Map([['dock1', aSource({ lastSeen: T0 })]])
  estate.observe('dock1', { sources, dockerContainers: new Map([[key(container), container]]) })
  const columns = tick()
  expect(columnOf('restarts')(columns)).toEqual([4])
  expect(columnOf('cpu')(columns)).toEqual([absent.stopped])
})

test('[design 14] the figures of a mail gateway are sums over the nodes whose queues are known', () => {
  const read = (one: MailGateway) =>
    Object.fromEntries(
      (['queued', 'deferred', 'held', 'oldestMail', 'quarantinedSpam', 'quarantinedViruses'] as const).map(
        (name) => [name, figures.pmg[name]!.read(one)],
      ),
    )
  const gateway = aMailGateway()
  const [node] = gateway.nodes!
  const queueStatus = { ...node!.queueStatus!, hold: 2 }
  const nodes = [
    { ...node!, queueStatus },
    { ...node!, name: 'b' },
    { ...node!, name: 'c', staleSince: 1 },
  ]
  expect(read({ ...gateway, nodes })).toEqual({
    queued: 14,
    deferred: 10,
    held: 2,
    oldestMail: 600,
    quarantinedSpam: 40,
    quarantinedViruses: 3,
  })
  const { quarantine: _, ...unknown } = { ...gateway, nodes: [] }
  expect(Object.values(read(unknown))).toEqual(Array.from({ length: 6 }))
  const { oldestAt: __, ...empty } = queueStatus
  expect(read({ ...gateway, nodes: [{ ...node!, queueStatus: empty }] })['oldestMail']).toBe(0)
})

test('[design 14] an unchanged figure is a figure: it is sampled after every answer', () => {
  const { answer, sample } = given()
  for (let n = 0; n < 3; n++) {
    answer({ cpu: 0.25 })
    expect(sample('cpu')).toBe(250)
  }
})

test('[design 14] a source that has not answered since the last tick gives no sample', () => {
  const { answer, tick } = given()
  answer()
  expect(tick()).not.toEqual([])
  expect(tick()).toEqual([])
})

test('[design 14] the figures of a stale record are a gap for as long as it is stale', () => {
  const { answer, estate, sample } = given()
  answer()
  estate.observe(
    'main',
    {},
    { state: aSource({ health: 'error', error: 'no answer', lastSeen: T0, staleSince: T0 }) },
  )
  expect(sample('cpu')).toBe(absent.silent)
  expect(sample('networkIn')).toBe(absent.silent)
})

test('[design 14] a stopped guest has gaps, not zeros', () => {
  const { answer, sample } = given()
  answer({ status: 'stopped', cpu: 0 })
  expect(sample('cpu')).toBe(absent.stopped)
})

test.each([
  [
    'storage',
    'main:pve1:local',
    aStorage({ source: 'main', storage: 'local', status: 'unknown', staleSince: T0 }),
  ],
  ['datastores', 'main:7', { source: 'main', server: 'b', name: '7', status: 'denied', staleSince: T0 }],
] as const)('[design 14] %s that nothing is known about are silent, not stopped', (kind, id, record) => {
  const { estate, tick } = given()
  estate.observe('main', { [kind]: new Map([[id, record]]) }, { state: aSource({ lastSeen: T0 }) })
  const values = tick().flatMap((column) => Array.from(column.values))
  expect(new Set(values)).toEqual(new Set([absent.silent]))
})

test('a figure that is too large to be stored is skipped, and the ones beside it stay', () => {
  const { answer, sample } = given()
  const samples = [0.25, 2 ** 53 / 1_000, -(2 ** 52) / 1_000, 2 ** 50 / 1_000, -(2 ** 50) / 1_000, 0.5].map(
    (cpu) => {
      answer({ cpu })
      return sample('cpu')!
    },
  )
  expect(samples).toEqual([250, absent.skipped, absent.skipped, 2 ** 50, -(2 ** 50), 500])
  const writer = new ByteWriter()
  writeSeries(writer, samples)
  const read: number[] = []
  readSeries(new ByteReader(writer.finish()), samples.length, read)
  expect(read).toEqual(samples)
})

test('an unknown figure is neither a sample nor a gap', () => {
  const { answer, sample } = given()
  answer({ diskRead: undefined })
  expect(sample('diskRead')).toBe(absent.skipped)
})

test('[design 9] sampling works in steps of some hundred records', () => {
  const { estate } = given()
  const many = Array.from({ length: 1_000 }, (_, n) => aGuest({ source: 'main', vmid: n + 1 }))
  estate.observe(
    'main',
    {
      guests: new Map(many.map((guest) => [`main:${guest.vmid}`, guest])),
      nodes: new Map([['main:pve1', aNode({ source: 'main' })]]),
      storage: new Map([['main:pve1:local', aStorage({ source: 'main' })]]),
    },
    { state: aSource({ lastSeen: T0 }) },
  )
  const sampler = new Sampler({ tables: estate.tables, numberOf: () => 1, thingOf: () => 1 })
  let steps = 0
  for (const work = sampler.tick(); !work.next().done;) steps++
  expect(steps).toBeGreaterThanOrEqual(5)
})

test('[design 14] a record that cannot be sampled does not keep the others from it', () => {
  const { estate } = createGivenWithEvil()
  const faults: unknown[] = []
  const cpu = sampledFields.findIndex((one) => one.kind === 'guests' && one.name === 'cpu')
  const sampler = new Sampler({
    tables: estate.tables,
    numberOf: (field) => sampledFields.indexOf(field),
    thingOf: (_kind, id) => Number(id.split(':')[1]),
    onFault: (error) => void faults.push(error),
  })
  const columns = atOnce(sampler.tick())
  const ofCpu = columns.find(({ field }) => field === cpu)!
  expect(Array.from(ofCpu.things)).toEqual([1, 3])
  expect(ofCpu.values).toHaveLength(2)
  expect(faults).toEqual([expect.any(TypeError)])
})

function createGivenWithEvil() {
  const estate = createEstate()
  const evil = JSON.parse('{"toString":1,"valueOf":1}') as never
  const guests = [0.1, evil, 0.3].map((cpu, n) => aGuest({ source: 'main', vmid: n + 1, cpu }))
  estate.observe(
    'main',
    { guests: new Map(guests.map((guest) => [`main:${guest.vmid}`, guest])) },
    { state: aSource({ lastSeen: T0 }) },
  )
  return { estate }
}
