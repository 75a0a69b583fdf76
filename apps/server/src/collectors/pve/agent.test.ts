import { expect, test } from 'vitest'
import { lacksMeminfo, readMeminfo, toNetwork, toOs } from './agent.ts'
import { PveInterface, PveOs } from './schema.ts'

const nic = (fields: object) => PveInterface.parse(fields)
const addresses = (...list: string[]) => list.map((address) => ({ 'ip-address': address }))

test('[facts 1.10] loopback and link-local addresses go, and so do interfaces without address and traffic', () => {
  const network = toNetwork([
    nic({ name: 'ens19', 'ip-addresses': addresses('10.0.0.9', 'fe80::1') }),
    nic({
      name: 'lo',
      'ip-addresses': addresses('127.0.0.1', '::1'),
      statistics: { 'rx-bytes': 5, 'tx-bytes': 5 },
    }),
    nic({ name: 'docker0', statistics: { 'rx-bytes': 0, 'tx-bytes': 0 } }),
    nic({
      name: 'ens18',
      'hardware-address': 'bc:24:11:00:00:01',
      statistics: { 'rx-bytes': '7', 'tx-bytes': 8 },
    }),
  ])
  expect(network.interfaces).toEqual([
    { name: 'ens18', mac: 'bc:24:11:00:00:01', rxBytes: 7, txBytes: 8 },
    { name: 'ens19', addresses: ['10.0.0.9'] },
  ])
  expect(network.addresses).toEqual(['10.0.0.9'])
})

test.each([
  ['lo0', ['127.0.0.1', '::1', 'fe80::1']],
  ['Loopback Pseudo-Interface 1', ['127.0.0.1', '::1']],
])('%s is a loopback too, whatever went through it', (name, list) => {
  const counted = { 'rx-bytes': 5, 'tx-bytes': 5 }
  expect(
    toNetwork([nic({ name, 'ip-addresses': addresses(...list), statistics: counted })]).interfaces,
  ).toEqual([])
})

test('an agent on FreeBSD tells names and addresses, and counts nothing', () => {
  const vtnet0 = { name: 'vtnet0', 'hardware-address': 'bc:24:11:00:00:03' }
  expect(toNetwork([nic({ ...vtnet0, 'ip-addresses': addresses('10.0.0.7') })]).interfaces).toEqual([
    { name: 'vtnet0', mac: 'bc:24:11:00:00:03', addresses: ['10.0.0.7'] },
  ])
})

test.each([
  ['Microsoft Windows', true],
  ['FreeBSD', true],
  ['OPNsense', true],
  ['Debian GNU/Linux', false],
  ['', false],
])('only Linux is asked for /proc/meminfo: %j', (name, expected) => {
  expect(lacksMeminfo(name === '' ? undefined : { name, version: '' })).toBe(expected)
})

test('[facts 1.10] containers give addresses with their prefix, before 8.4 one of each family', () => {
  const old = nic({
    name: 'eth0',
    hwaddr: 'bc:24:11:00:00:02',
    inet: '192.168.3.95/22',
    inet6: '2001:db8::5/64',
  })
  const new84 = nic({
    name: 'eth0',
    hwaddr: 'bc:24:11:00:00:02',
    inet: '10.0.0.5/24',
    'ip-addresses': addresses('10.0.0.5', '10.0.0.6'),
  })
  expect(toNetwork([old]).addresses).toEqual(['192.168.3.95', '2001:db8::5'])
  expect(toNetwork([new84]).addresses).toEqual(['10.0.0.5', '10.0.0.6'])
})

test.each<[object, string, string]>([
  [{ name: 'Debian GNU/Linux', version: '12 (bookworm)', id: 'debian' }, 'Debian GNU/Linux', '12 (bookworm)'],
  [
    { id: 'mswindows', 'pretty-name': 'Windows Server 2022 Datacenter' },
    'Windows Server 2022 Datacenter',
    '',
  ],
  [{ id: 'haos', 'version-id': '13.1' }, 'haos', '13.1'],
  [{ name: 'Arch Linux', 'pretty-name': 'Arch Linux', 'kernel-release': '6.9' }, 'Arch Linux', '6.9'],
  [{ name: 'FreeBSD', version: 'FreeBSD' }, 'FreeBSD', ''],
  [
    { id: 'freebsd', name: 'FreeBSD', 'pretty-name': 'FreeBSD 14.2-RELEASE', 'version-id': '14.2' },
    'FreeBSD',
    '14.2',
  ],
  [
    { 'kernel-release': '14.2-RELEASE-p3', 'kernel-version': 'FreeBSD 14.2-RELEASE-p3 GENERIC' },
    'FreeBSD',
    '14.2-RELEASE-p3',
  ],
  [{ 'kernel-release': '6.9', 'kernel-version': '#1 SMP' }, '', '6.9'],
  [{}, '', ''],
])('[facts 1.10] OS of %j', (raw, name, version) => {
  expect(toOs(PveOs.parse(raw))).toEqual({ name, version })
})

test('[facts 1.7] meminfo is read in kB, and not believed when it contradicts itself', () => {
  const text = 'MemTotal:        8127928 kB\nMemFree:          250000 kB\nMemAvailable:    6127928 kB\n'
  expect(readMeminfo(text)).toEqual({
    available: 6127928 * 1024,
    total: 8127928 * 1024,
    free: 250000 * 1024,
  })
  expect(readMeminfo('MemTotal: 1 kB\nMemAvailable: 2 kB')).toBeUndefined()
  expect(readMeminfo('')).toBeUndefined()
})
