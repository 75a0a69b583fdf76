import { expect, test } from 'vitest'
import { fullVersion, toNodeTest } from './map.ts'

test.each([
  [{ version: '4.0', release: '14' }, '4.0.14'],
  [{ version: '2.4', release: '7' }, '2.4.7'],
  [{ version: '4.0.14', release: '4.0' }, '4.0.14'],
  [{ version: '3.4' }, '3.4'],
  [{ release: '7' }, undefined],
  [{}, undefined],
])('[proxmox-api 1.3] %j is version %s', (answer, expected) => expect(fullVersion(answer)).toBe(expected))

const base = { version: { version: '4.0', release: '14' }, nodes: [1], datastores: [1, 2], latency: 7 }
const audit = { 'Sys.Audit': 1, 'Datastore.Audit': 1 }

test.each([
  ['Audit on everything', { '/': audit }, []],
  ['rights that are not reported', undefined, []],
  ['one datastore only', { '/datastore/main': { 'Datastore.Audit': 1 } }, ['Datastore.Audit', 'Sys.Audit']],
  ['the system only', { '/system': { 'Sys.Audit': 1 } }, ['Datastore.Audit']],
  [
    'Audit on everything, as PBS lists it',
    { '/': audit, '/access': audit, '/datastore': audit, '/remote': audit },
    [],
  ],
  [
    'the root alone, without propagation',
    { '/': { 'Sys.Audit': 0, 'Datastore.Audit': 0 } },
    ['Datastore.Audit', 'Sys.Audit'],
  ],
  ['nothing', {}, ['Datastore.Audit', 'Sys.Audit']],
])('[proxmox-api 4] %s', (_case, granted, missing) => {
  const result = toNodeTest({ ...base, granted })
  expect(result.warnings?.map((warning) => warning.split(' ')[0]) ?? []).toEqual(missing)
  expect(result.message).toBe(
    missing.length > 0 ? 'Connection successful, but some rights are missing' : 'Connection successful',
  )
})
