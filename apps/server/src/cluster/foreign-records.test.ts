import type { Frame } from '@pulse/domain'
import { aGuest } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { foreignRecords } from './foreign-records.ts'

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
