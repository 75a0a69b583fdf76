import { kindOf, recordKinds, recordSchemas, type RecordKind } from '@pulse/contract'
import {
  aCephCluster,
  aDisk,
  aDockerContainer,
  aDockerHost,
  aGuest,
  anAlert,
  aMailGateway,
  aNode,
  aPbsServer,
  aStorage,
} from '@pulse/testkit'
import { expect, test } from 'vitest'
import { complete, splitPath } from '../wire/complete.ts'
import { type Fields, loggedChange, restoredFields, toLogged, withChange } from './logged-fields.ts'
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
  datastores: { source: 'main', server: 'pbs-main', name: 'a', status: 'available' },
  dockerHosts: aDockerHost(),
  dockerContainers: aDockerContainer(),
  activeAlerts: anAlert(),
}
/** With all figures that samples restore. */
const cases = (Object.entries(examples) as [RecordKind, object][]).map(([kind, record]) => {
  const whole = structuredClone(record) as Fields
  for (const { path } of restoredFields(kind)) {
    const [within, field] = splitPath(path)
    const holder = within === undefined ? whole : (whole[within] as Fields)
    holder[field] ??= 7
  }
  return [kind, whole] as const
})

const schemaOf = (kind: RecordKind) => recordSchemas[kind] as { parse(value: unknown): unknown }

/** What changes with most polls and has no samples. */
function absentFields(kind: RecordKind): string[] {
  const { round = {}, keptBack = [], passing = {} } = kindOf(kind)
  const sampled = restoredFields(kind).map(({ path }) => path)
  const paths = [...Object.keys(round), ...keptBack, ...Object.keys(passing)]
  return paths.filter((path) => (passing[path] ?? 'absent') === 'absent' && !sampled.includes(path))
}

function remove(holder: unknown, [field, ...rest]: string[]) {
  for (const one of (Array.isArray(holder) ? holder : [holder]) as (Fields | undefined)[])
    if (rest.length > 0) remove(one?.[field!], rest)
    else delete one?.[field!]
}

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
  const expected = structuredClone(record) as Fields
  for (const path of absentFields(kind)) remove(expected, path.split('.'))
  expect(past).toEqual(expected)
})

test('[M 3.4] every kind with figures that samples restore has an example', () => {
  const kinds = recordKinds().filter((kind) => restoredFields(kind).length > 0)
  expect(Object.keys(examples)).toEqual(expect.arrayContaining(kinds))
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
