import type { Guest } from '@pulse/contract'
import type { Frame } from '@pulse/domain'
import { aGuest } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { foreignRecords, forgedRecords, type KnownConnection } from './foreign-records.ts'

const isConnection = (id: string) => ['pve-a', 'pve-b'].includes(id)
const whyOf = (records: object) =>
  foreignRecords({ source: 'pve-a', records: records as Frame['records'] }, isConnection)
const put = (id: string, record: object) => ({ put: [[id, record]], remove: [] })

test('records of the source itself, and those that several sources share, are its own', () => {
  expect(whyOf({ guests: put('pve-a:100', aGuest({ source: 'pve-a' })) })).toBeUndefined()
  expect(whyOf({ pbs: put('pve-a', { source: 'pve-a' }) })).toBeUndefined()
  expect(whyOf({ cephClusters: put('b3f1c0de', { fsid: 'b3f1c0de' }) })).toBeUndefined()
})

test.each([
  ['the id of another connection', { guests: put('pve-b:100', aGuest({ source: 'pve-a' })) }],
  ['another connection as its source', { guests: put('pve-a:100', aGuest({ source: 'pve-b' })) }],
  ['the health of another connection', { sources: put('pve-b', { health: 'error' }) }],
  ['an alert', { activeAlerts: put('x', {}) }],
  ['a record about Pulse itself', { meta: put('self', {}) }],
])('%s is refused', (_, records) => expect(whyOf(records)).toEqual(expect.any(String)))

test('[N 4] kinds that this version does not know are no reason, however long their names are', () => {
  const name = 'k'.repeat(1_000_000)
  expect(whyOf({ [name]: put('pve-b:100', { source: 'pve-b' }) })).toBeUndefined()
})

describe('[N 4] records of a site', () => {
  const connections: KnownConnection[] = [
    { site: 'berlin', kind: 'pve', name: 'lab' },
    { site: 'main', kind: 'pve', name: 'prod' },
    { site: 'main', kind: 'pbs', name: 'vault' },
  ]
  const forged = (records: object) =>
    forgedRecords({ records: records as Frame['records'] }, connections[0]!, () => connections)
  const guest = (change: Partial<Guest> = {}) =>
    aGuest({ source: 'pve-a', instance: 'lab', vmid: 100, ...change })

  test('are those of its connection, also while its new name has not arrived', () => {
    expect(forged({ guests: put('pve-a:100', guest()) })).toBeUndefined()
    expect(forged({ guests: put('pve-a:100', guest({ instance: 'formerly' })) })).toBeUndefined()
  })

  test.each([
    ['another identity than its fields', { guests: put('pve-a:101', guest()) }],
    ['the id of a guest of another connection', { guests: put('pve-a:100', guest({ id: 'prod-pve1-100' })) }],
    ['the name of another connection', { guests: put('pve-a:100', guest({ id: 'x', instance: 'vault' })) }],
    ['a kind that its connection does not have', { pbsBackups: put('pve-a:x', {}) }],
  ])('with %s are refused', (_, records) => expect(forged(records)).toEqual(expect.any(String)))
})
