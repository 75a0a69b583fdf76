import { type Observation, Secret } from '@pulse/domain'
import { fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { runYielding } from '../timing/yield.ts'
import { publishSource, type SharedByRecords } from './publish-source.ts'
import { createSource } from './watch-source.ts'

function* steps(count: number) {
  for (let n = 0; n < count; n++) yield n
}

function given(onStep: () => void = () => {}, onRead: () => void = () => {}) {
  const clock = fakeClock(0)
  const observed: Observation[] = []
  const mapped: (SharedByRecords & { clusterName: string })[] = []
  const cluster = { name: 'prod' }
  const source = createSource(
    {
      id: 'c1',
      name: 'main',
      kind: 'pve',
      flags: {},
      host: 'https://host.example:8006',
      auth: { type: 'token', tokenId: 'a@b!c', secret: new Secret('canary') },
      verifySSL: true,
    },
    {
      clock,
      log: pino({ level: 'silent' }),
      observe: (observation) => void observed.push(observation),
      learned: () => {},
    },
    { main: 'listing', isCluster: true },
  )
  const publisher = publishSource<SharedByRecords & { clusterName: string }>(source, {
    context: (shared) => ({ ...shared, clusterName: cluster.name }),
    async map(context) {
      mapped.push(context)
      await runYielding(steps(5))
      onStep()
    },
    async records() {
      await runYielding(steps(3))
      onRead()
      return {}
    },
  })
  source.health.answered('listing', 0)
  source.health.listed(0, 60_000)
  return { clock, publisher, observed, mapped, cluster, source }
}

const turns = async (count: number) => {
  for (let n = 0; n < count; n++) await new Promise((resolve) => void setImmediate(resolve))
}

test('mapping yields to the event loop, and the result is observed at once and as a whole', async () => {
  const { clock, publisher, observed } = given()
  publisher.soon(0)
  await clock.advance(0)
  expect(observed).toEqual([])
  await turns(3)
  expect(observed).toEqual([])
  await turns(5)
  expect(observed).toHaveLength(1)
})

test('a change during mapping is in the next observation', async () => {
  const { clock, publisher, observed } = given()
  publisher.soon(0)
  await clock.advance(0)
  publisher.soon(0)
  await clock.advance(0)
  await turns(12)
  await clock.advance(0)
  await turns(12)
  expect(observed).toHaveLength(2)
})

test('what all records share and has changed meanwhile is mapped in steps too', async () => {
  const { clock, publisher, observed, mapped, cluster } = given(() => (cluster.name = 'renamed'))
  publisher.soon(0)
  await clock.advance(0)
  await turns(20)
  expect(mapped.map(({ clusterName }) => clusterName)).toEqual(['prod', 'renamed'])
  expect(observed).toHaveLength(1)
})

test.each([0, 2, 4, 6])('after its end in step %d nothing is observed', async (step) => {
  const { clock, publisher, observed } = given()
  publisher.soon(0)
  await clock.advance(0)
  await turns(step)
  expect(observed).toEqual([])
  publisher.stop()
  await turns(12)
  expect(observed).toEqual([])
})

test('a source that is renamed while its records are read has its former name, like the records', async () => {
  const { clock, publisher, observed, source } = given(undefined, () => (source.connection.name = 'renamed'))
  for (let n = 0; n < 2; n++) {
    publisher.soon(0)
    await clock.advance(0)
    await turns(20)
  }
  expect(observed.map(({ state }) => state?.name)).toEqual(['main', 'renamed'])
})

test('a source says its site while it has one', async () => {
  const { clock, publisher, observed, source } = given()
  for (const site of ['Berlin', undefined]) {
    if (site === undefined) delete source.connection.site
    else source.connection.site = site
    publisher.soon(0)
    await clock.advance(0)
    await turns(20)
  }
  expect(observed.map(({ state }) => state?.site)).toEqual(['Berlin', undefined])
})
