import { type Forecast, type Guest, kinds, type RecordKind } from '@pulse/contract'
import { aCephCluster, aGuest, aGuestDisk, aStorage } from '@pulse/testkit'
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

function given(kind: keyof typeof observed) {
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

const all = Object.keys(observed) as (keyof typeof observed)[]

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
  // a page shows nothing for a guest without a date
  expect(shown()).toEqual(kind === 'guests' ? undefined : flat)
  publish()
  expect(shown()).toBeUndefined()
})

test('[M 3.6] that of another record changes nothing', () => {
  const { poll, publish, shown } = given('storage')
  poll()
  expect(publish({ id: 'main:two', forecast: full }).storage).toBeUndefined()
  expect(shown()).toBeUndefined()
})

test('[M 3.6] the forecast of a file system is joined to its guest, whatever its place in the list', () => {
  const estate = createEstate()
  const [root, srv] = ['/', '/srv'].map((mountpoint) => aGuestDisk(mountpoint))
  const poll = (...disks: object[]) =>
    estate.observe('main', { guests: new Map([['main:100', aGuest({ disks: disks as Guest['disks'] })]]) })
  const publish = (...ids: string[]) =>
    estate.observe('forecasts', {
      forecasts: new Map(
        ids.map((id) => [
          kinds.forecasts.key({ kind: 'fileSystems', id }),
          { kind: 'fileSystems', id, forecast: full },
        ]),
      ),
    })
  const dated = () => {
    const { disks } = estate.tables.guests.get('main:100')!
    return disks!.filter(({ forecast }) => forecast).map(({ mountpoint }) => mountpoint)
  }
  poll(root!, srv!)
  expect([...publish('main:100:srv').guests!.put.keys()]).toEqual(['main:100'])
  expect(dated()).toEqual(['/srv'])
  poll(srv!, root!)
  expect(dated()).toEqual(['/srv'])
  publish('main:100:srv', 'main:100:root')
  expect(dated()).toEqual(['/srv', '/'])
  publish('main:100:root')
  expect(dated()).toEqual(['/'])
  publish()
  expect(dated()).toEqual([])
})
