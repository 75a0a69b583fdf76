import { expect, test } from 'vitest'
import { parts } from './parts.ts'
import { hiddenLists, missingForLists, missingRights, rightsOf } from '../proxmox/rights.ts'

const needs = rightsOf(parts)

const all = {
  'Sys.Audit': 1,
  'VM.Audit': 1,
  'Datastore.Audit': 1,
  'VM.GuestAgent.Audit': 1,
  'Datastore.Allocate': 1,
}

test.each<[string, Record<string, Record<string, number>>, RegExp[]]>([
  ['everything on the root', { '/': all }, []],
  ['VM.Monitor of PVE 8', { '/': { ...all, 'VM.GuestAgent.Audit': 0, 'VM.Monitor': 1 } }, []],
  [
    'rights on parts only',
    {
      '/vms/100': { 'VM.Audit': 1, 'VM.Monitor': 1 },
      '/nodes': { 'Sys.Audit': 1 },
      '/storage/nas': { 'Datastore.Allocate': 1 },
    },
    [
      /^VM\.Audit only on \/vms\/100: elsewhere guests will not appear$/,
      /^Datastore\.Audit only on \/storage\/nas: elsewhere/,
      /^Sys\.Audit is missing on \/: cluster members stay unknown$/,
      /VM\.Monitor \(PVE 8\) only on \/vms\/100: elsewhere disk usage/,
      /^Datastore\.Allocate only on \/storage\/nas: elsewhere backup files/,
    ],
  ],
  [
    'nothing',
    {},
    [
      /node figures/,
      /guests will not appear/,
      /storage will not appear/,
      /cluster members/,
      /disk usage/,
      /backup files/,
    ],
  ],
  [
    'an auditor',
    { '/': { 'Sys.Audit': 1, 'VM.Audit': 1, 'Datastore.Audit': 1 } },
    [/VM\.Monitor/, /backup files/],
  ],
])('[facts 1.2] with %s the warnings are right', (_case, granted, expected) => {
  const warnings = missingRights(granted, needs)
  expect(warnings).toHaveLength(expected.length)
  for (const [index, pattern] of expected.entries()) expect(warnings[index]).toMatch(pattern)
})

test('rights that hide whole lists and rights that hide details are distinguished', () => {
  expect(missingForLists({ '/': { 'Sys.Audit': 1, 'VM.Audit': 1, 'Datastore.Audit': 1 } }, needs)).toEqual([])
  expect(missingForLists({ '/': { 'Sys.Audit': 1 } }, needs)).toHaveLength(2)
})

test('lists that are emptier than they should be are named, with the right that would fill them', () => {
  expect(hiddenLists({ '/': all }, needs)).toEqual([])
  expect(hiddenLists({ '/': { 'Sys.Audit': 1, 'VM.Audit': 1, 'Datastore.Audit': 1 } }, needs)).toEqual([
    {
      what: 'storage backups',
      error: 'Datastore.Allocate is missing on /storage: backup files will not be listed',
      right: 'Datastore.Allocate on /storage',
    },
  ])
  expect(hiddenLists({}, needs).map(({ what }) => what)).toEqual(['storages', 'storage backups'])
})

test('where one storage alone cannot be seen it is named', () => {
  const granted = { '/': all, '/storage': all, '/storage/nas': { 'Datastore.AllocateTemplate': 1 } }
  expect(hiddenLists(granted, needs)[0]).toEqual({
    what: 'storages',
    error: 'Datastore.Audit is missing on /storage/nas: there storage will not appear',
    right: 'Datastore.Audit on /storage/nas',
  })
})
