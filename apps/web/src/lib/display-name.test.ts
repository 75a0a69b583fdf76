import { expect, test } from 'vitest'
import { bareHost, displayName } from './display-name.ts'

test.each([
  { of: { displayName: 'Rack 1', name: 'pve1', host: 'h', instance: 'i' }, name: 'Rack 1' },
  { of: { displayName: ' ', name: 'pve1', host: 'h', instance: 'i' }, name: 'pve1' },
  { of: { host: 'https://pve1.example:8006/x', instance: 'i' }, name: 'pve1.example' },
  { of: { host: '', instance: 'i' }, name: 'i' },
  { of: {}, name: '' },
])('[spec 1 §3] displayName, then name, then bare host, then instance: $name', ({ of, name }) => {
  expect(displayName(of)).toBe(name)
})

test.each([
  ['https://pve1:8006', 'pve1'],
  ['pve1:8006/path?x#y', 'pve1'],
  ['https://[fd00::1]:8006/', 'fd00::1'],
  ['fd00::1', 'fd00::1'],
  ['HTTPS://10.0.0.1', '10.0.0.1'],
  [undefined, ''],
])('%s is %s', (host, bare) => {
  expect(bareHost(host)).toBe(bare)
})
