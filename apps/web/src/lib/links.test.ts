import { expect, test } from 'vitest'
import { safeUrl, webUrl } from './links.ts'

test.each([
  ['https://pve1.example:8006', 'pve', 'https://pve1.example:8006'],
  ['https://pve1.example', 'pve', 'https://pve1.example:8006'],
  ['https://pbs.example', 'pbs', 'https://pbs.example:8007'],
  ['https://pmg.example', 'pmg', 'https://pmg.example:8006'],
  ['pve1.example', 'pve', 'https://pve1.example:8006'],
  ['http://10.0.0.1', 'pve', 'http://10.0.0.1:8006'],
  ['https://pve.example:443', 'pve', 'https://pve.example'],
  ['https://proxy.example:8443/pve/', 'pve', 'https://proxy.example:8443/pve/'],
  ['https://[fe80::1]', 'pve', 'https://[fe80::1]:8006'],
  ['https://[fe80::1]:9000', 'pve', 'https://[fe80::1]:9000'],
] as const)('[spec 1 §2] the host %s of a %s leads to %s', (host, kind, url) => {
  expect(webUrl(host, 'name', kind)).toBe(url)
})

test('[spec 1 §2] without a host the name is the address', () => {
  expect(webUrl(undefined, 'pve7', 'pve')).toBe('https://pve7:8006')
  expect(webUrl('', 'backup', 'pbs')).toBe('https://backup:8007')
  expect(webUrl(undefined, '', 'pve')).toBeUndefined()
})

test.each([
  'javascript:alert(1)',
  'javascript://x/%0aalert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'a b',
])('[S14] %s never becomes a link', (text) => {
  expect(safeUrl(text)).toBeUndefined()
  expect(webUrl(text, 'pve1', 'pve') ?? 'https:').toMatch(/^https?:/)
})
