import { expect, test } from 'vitest'
import { isLoopback, systemText } from './guest-panels.tsx'

test.each([
  ['Debian GNU/Linux', '12 (bookworm)', 'Debian GNU/Linux 12 (bookworm)'],
  ['Microsoft Windows', 'Windows Server 2022', 'Microsoft Windows Server 2022'],
  ['Microsoft Windows', 'windows 11', 'Microsoft Windows 11'],
  ['Ubuntu', 'Ubuntu 24.04 LTS', 'Ubuntu 24.04 LTS'],
  ['Microsoft Windows Server 2019', 'Windows Server 2019', 'Microsoft Windows Server 2019'],
  ['Alpine', undefined, 'Alpine'],
  [undefined, '12', '12'],
  [undefined, undefined, ''],
  ['Fedora Linux', 'Linux-like', 'Fedora Linux Linux-like'],
])('%s and %s are %s', (osName, osVersion, text) => {
  expect(systemText({ osName, osVersion })).toBe(text)
})

test.each([
  [{ name: 'lo' }, true],
  [{ name: 'lo0', addresses: ['127.0.0.1'] }, true],
  [{ name: 'Loopback Pseudo-Interface 1', addresses: ['::1', '127.0.0.1'] }, true],
  [{ name: 'dummy', addresses: ['127.0.1.1/8', '::1/128'] }, true],
  [{ name: 'eth0' }, false],
  [{ name: 'local', addresses: ['10.0.0.1/24'] }, false],
  [{ name: 'eth1', addresses: ['127.0.0.1', '10.0.0.1'] }, false],
  [{ name: 'wg0', addresses: ['::1f'] }, false],
])('%o is loopback: %s', (nic, expected) => {
  expect(isLoopback(nic)).toBe(expected)
})
