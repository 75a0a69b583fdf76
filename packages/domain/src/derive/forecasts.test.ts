import { type Forecast, type ForecastKind, kinds, type RecordKind } from '@pulse/contract'
import { aCephCluster, aGuest, aStorage } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createEstate } from '../estate.ts'
import type { Observation } from '../sources/observation.ts'

const full: Forecast = { fullAt: 9, earliestAt: 8, latestAt: 10, since: 1 }
const flat: Forecast = { reason: 'flat', since: 1 }
const observed = {
  storage: aStorage(),
  datastores: { server: 'pbs-backup', name: 'main', status: 'available', source: 'main' },
  cephClusters: aCephCluster(),
  guests: aGuest(),
}

function given(kind: ForecastKind) {
  const estate = createEstate()
  const record = observed[kind]
  const poll = (change: object = {}) =>
    estate.observe('main', {
      [kind]: new Map([['main:one', { ...record, ...change }]]),
    } as Observation['records'])
  const publish = (...all: { id: string; forecast: Forecast }[]) =>
    estate.observe('forecasts', {
      forecasts: new Map(all.map((one) => [kinds.forecasts.key({ kind, ...one }), { kind, ...one }])),
    })
  return {
    poll,
    publish,
    shown: () => (estate.tables[kind as RecordKind].get('main:one') as { forecast?: Forecast }).forecast,
  }
}

const all = Object.keys(observed) as ForecastKind[]

test.each(all)('[M 3.6] %s: a forecast is joined to its record, whichever comes first', (kind) => {
  const first = given(kind)
  first.poll()
  const patch = first.publish({ id: 'main:one', forecast: full })
  expect([...patch[kind as 'storage']!.put.values()]).toMatchObject([{ forecast: full }])
  const second = given(kind)
  second.publish({ id: 'main:one', forecast: full })
  second.poll()
  expect(second.shown()).toEqual(full)
})

test.each(all)('[M 3.6] %s: it lasts over polls, changes, and goes', (kind) => {
  const { poll, publish, shown } = given(kind)
  poll()
  publish({ id: 'main:one', forecast: full })
  poll({ name: 'other' })
  expect(shown()).toEqual(full)
  publish({ id: 'main:one', forecast: flat })
  expect(shown()).toEqual(flat)
  publish()
  expect(shown()).toBeUndefined()
})

test('[M 3.6] that of another record changes nothing', () => {
  const { poll, publish, shown } = given('storage')
  poll()
  expect(publish({ id: 'main:two', forecast: full }).storage).toBeUndefined()
  expect(shown()).toBeUndefined()
})
