import { kindOf, type SourceState } from '@pulse/contract'
import type { Frame } from '@pulse/domain'
import { aCephCluster, aGuest, aNode, aPbsBackup } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { believedFrame } from './foreign-frames.ts'
import type { KnownConnection } from './foreign-records.ts'

const own: KnownConnection = { site: 'berlin', kind: 'pve', name: 'lab' }
const evil = JSON.parse('{"toString":1,"valueOf":1}') as never
const guest = (vmid: number, change: object = {}) => [
  `s:${vmid}`,
  aGuest({ source: 's', instance: 'lab', vmid, ...change }),
]
const judged = (
  records: object,
  more: object = {},
  siteOfCeph: (fsid: string) => string | undefined = () => undefined,
  connection = own,
) =>
  believedFrame({ source: 's', run: 'r.1', sequence: 1, records, ...more } as Frame, {
    own: connection,
    connections: () => [own],
    siteOfCeph,
  })

test('[N 4] of a site, records without the form of their kind are left out, and the others are taken', () => {
  const nodes = { put: [['s:pve1', aNode({ source: 's', instance: 'lab' })]], remove: ['s:gone'] }
  const guests = { put: [guest(1), guest(2, { name: evil }), guest(3, { memory: null })], remove: [] }
  expect(judged({ nodes, guests, newKind: { put: [['x', {}]], remove: [] } })).toEqual({
    frame: expect.objectContaining({ records: { nodes, guests: { put: [guest(1)], remove: [] } } }),
    left: new Set(['a record of guests has not the form of its kind']),
  })
})

test('[N 4] of a site, fields that this version does not know are left out', () => {
  expect(judged({ guests: { put: [guest(1, { later: evil })], remove: [] } })).toMatchObject({
    frame: { records: { guests: { put: [guest(1)] } } },
  })
})

test('[N 4] of a site, clusters that list a backup are left out: they decide whose backup it is', () => {
  const backup = aPbsBackup({ source: 's', instance: 'lab' })
  const put = [[kindOf('pbsBackups').key!(backup as never), { ...backup, listedBy: ['cluster'] }]]
  expect(judged({ pbsBackups: { put, remove: [] } }, {}, undefined, { ...own, kind: 'pbs' })).toEqual({
    frame: expect.objectContaining({ records: { pbsBackups: { put: [[put[0]![0], backup]], remove: [] } } }),
    left: new Set(),
  })
})

test('[N 4] a Ceph cluster that another site has stays that of the other one', () => {
  const cephClusters = {
    put: [['f', aCephCluster({ fsid: 'f', source: 's', instance: 'lab', id: 'lab-f' })]],
    remove: [],
  }
  const countOf = (site: string | undefined) => {
    const believed = judged({ cephClusters }, {}, () => site)
    return 'frame' in believed && believed.frame.records.cephClusters!.put.length
  }
  expect([undefined, 'berlin', 'main'].map(countOf)).toEqual([1, 1, 0])
})

test('[N 4] the state of a source has the site, the kind and the name that the database has', () => {
  const state: SourceState = { name: 'other', kind: 'pmg', health: 'healthy', lastSeen: 1 }
  expect(judged({}, { state })).toMatchObject({
    frame: { state: { name: 'lab', kind: 'pve', site: 'berlin', health: 'healthy', lastSeen: 1 } },
  })
  expect(judged({}, { state: { ...state, health: evil } })).toEqual({
    refused: 'the state of the source has not its form',
  })
})
