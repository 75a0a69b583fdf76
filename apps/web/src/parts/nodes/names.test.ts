import { expect, test } from 'vitest'
import { extraName, shortVersion } from './names.ts'

test.each([
  { displayName: 'Lab machine', name: 'pve5', extra: 'pve5' },
  { displayName: 'pve5', name: 'pve5', extra: undefined },
  { displayName: 'PVE5', name: 'pve5', extra: undefined },
  { displayName: 'pve-5', name: 'pve 5', extra: undefined },
  { displayName: 'pve5.example.com', name: 'pve5', extra: undefined },
  { displayName: 'pve5', name: 'pve5.example.com', extra: undefined },
  { displayName: 'pve50', name: 'pve5', extra: 'pve5' },
  { displayName: '', name: 'pve5', extra: undefined },
  { displayName: 'Lab', name: '', extra: undefined },
])('[spec 1 §2] shown as "$displayName", "$name" tells more: $extra', ({ displayName, name, extra }) => {
  expect(extraName({ displayName, name })).toBe(extra)
})

test.each([
  ['pve-manager/9.0.3/025864202ebb6109', '9.0.3'],
  ['4.0.14', '4.0.14'],
  ['8.2', '8.2'],
  ['unknown', undefined],
  [undefined, undefined],
])('the version in %s is %s', (version, short) => {
  expect(shortVersion(version)).toBe(short)
})
