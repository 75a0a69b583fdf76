import { recordSchemas, type RecordKind } from '@pulse/contract'
import {
  aCephCluster,
  aDisk,
  aDockerContainer,
  aGuest,
  anAlert,
  aMailGateway,
  aNode,
  aPbsServer,
  aStorage,
} from '@pulse/testkit'
import { expect, test } from 'vitest'
import { complete } from '../wire/complete.ts'
import { type Fields, loggedChange, toLogged, withChange } from './logged-fields.ts'
import { restoreFigures } from './restore.ts'

const temperature = { available: true, hasCPU: true, hasNVMe: false, cpuPackage: 51, cores: [] }
const examples = {
  nodes: aNode({ temperature }),
  guests: aGuest(),
  storage: aStorage(),
  cephClusters: aCephCluster(),
  physicalDisks: aDisk(),
  pbs: aPbsServer(),
  pmg: aMailGateway(),
  activeAlerts: anAlert(),
}
const cases = Object.entries(examples) as [RecordKind, object][]

const schemaOf = (kind: RecordKind) => recordSchemas[kind] as { parse(value: unknown): unknown }

function restored(kind: RecordKind, record: object, sampleAt: Parameters<typeof restoreFigures>[2]) {
  const logged = toLogged(kind, record)
  restoreFigures(kind, [['x', logged]], sampleAt)
  return complete(kind, logged)
}

test.each(cases)('[M 3.4] %s: with a sample of each figure the record is what it was', (kind, record) => {
  const valueAt = (path: string) =>
    path.split('.').reduce<unknown>((holder, field) => (holder as Fields | undefined)?.[field], record)
  const past = restored(kind, record, ({ path }) => valueAt(path) as number | undefined)
  expect(schemaOf(kind).parse(past)).toEqual(past)
  for (const [field, value] of Object.entries(past))
    if (typeof value !== 'object') expect(value, field).toEqual(valueAt(field))
})

test.each(cases)('[M 3.4] %s: in a gap figures are absent, and pages can read the record', (kind, record) => {
  const past = restored(kind, record, () => undefined)
  expect(schemaOf(kind).parse(past)).toEqual(past)
  expect(past).not.toHaveProperty('cpu')
})

test('what is stopped uses no memory, and its size stays', () => {
  const past = restored('guests', aGuest({ status: 'stopped' }), () => 'stopped')
  expect(past).toMatchObject({ memory: { used: 0, total: aGuest().memory!.total } })
})

test('a figure alone is no change; with another change goes what no sample restores', () => {
  const alert = anAlert({ value: 80, message: '80 %', lastSeen: 'then' })
  const later = { ...alert, value: 90, message: '90 %', lastSeen: 'now' }
  expect(loggedChange('activeAlerts', alert, later)).toBeUndefined()
  const change = loggedChange('activeAlerts', alert, { ...later, acknowledged: true })!
  expect(change).toMatchObject({ acknowledged: true, value: 90, message: '90 %' })
  expect(change).not.toHaveProperty('lastSeen')
})

test('the text of a container, which counts the minutes that it runs, is no change', () => {
  const before = aDockerContainer({ state: 'running', status: 'Up 2 minutes' })
  const after = { ...before, status: 'Up 3 minutes' }
  expect(loggedChange('dockerContainers', before, after)).toBeUndefined()
  const exited = { ...before, state: 'exited', status: 'Exited (0) 1 second ago' }
  expect(loggedChange('dockerContainers', before, exited)).toEqual({ state: 'exited', status: exited.status })
})

test('the change from one record to another leads from what is logged of one to that of the other', () => {
  const before = aGuest({ tags: 'a', lock: 'backup', disks: [{ total: 9, used: 1, mountpoint: '/' }] })
  const after = aGuest({ cpu: 0.9, node: 'pve2', disks: [{ total: 9, used: 2, mountpoint: '/srv' }] })
  const change = loggedChange('guests', before, after)!
  expect(Object.keys(change).toSorted()).toEqual(['disks', 'id', 'lock', 'node', 'tags'])
  expect(withChange(toLogged('guests', before), change)).toEqual(toLogged('guests', after))
})
