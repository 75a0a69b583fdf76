import type { Guest } from '../estate/estate.ts'
import type { GuestReading } from '../estate/reading.ts'
import { addressOf, linkLocalOf, macOf } from './guests.ts'

const names = {
  linux: ['ens18', 'ens19', 'ens20'],
  windows: ['Ethernet', 'Ethernet 2', 'Ethernet 3'],
  freebsd: ['vtnet0', 'vtnet1', 'vtnet2'],
} as const

export function agentInterfaces(guest: Guest, reading: GuestReading) {
  const { family } = guest.os
  const loopback = anInterface({
    name: family === 'windows' ? 'Loopback Pseudo-Interface 1' : family === 'freebsd' ? 'lo0' : 'lo',
    mac: family === 'windows' ? undefined : '00:00:00:00:00:00',
    addresses: [v4('127.0.0.1', 8), v6('::1', 128)],
    bytes: family === 'freebsd' ? undefined : [reading.netIn / 50, reading.netIn / 50],
  })
  const own = Array.from({ length: Math.min(3, guest.interfaceCount) }, (_, index) =>
    anInterface({
      name: names[family][index]!,
      mac: macOf(guest, index),
      addresses: [v4(addressOf(guest, index), 16), v6(linkLocalOf(guest, index), 64)],
      bytes: family === 'freebsd' ? undefined : [reading.netIn, reading.netOut],
    }),
  )
  return [loopback, ...own, ...(guest.tags?.includes('docker') ? containerBridges : [])]
}

interface Plan {
  name: string
  mac: string | undefined
  addresses: object[]
  /** Undefined for agents on FreeBSD, which do not count. */
  bytes: [number, number] | undefined
}

/** An interface without an address has no list of addresses. */
function anInterface({ name, mac, addresses, bytes }: Plan) {
  return {
    name,
    ...(mac !== undefined && { 'hardware-address': mac }),
    ...(addresses.length > 0 && { 'ip-addresses': addresses }),
    ...(bytes && { statistics: counted(bytes) }),
  }
}

function counted(bytes: [number, number]) {
  const [received, sent] = bytes.map(Math.floor) as [number, number]
  return {
    'rx-bytes': received,
    'tx-bytes': sent,
    'rx-packets': Math.floor(received / 700),
    'tx-packets': Math.floor(sent / 700),
    'rx-errs': 0,
    'tx-errs': 0,
    'rx-dropped': 0,
    'tx-dropped': 0,
  }
}

const v4 = (address: string, prefix: number) => ({ 'ip-address': address, 'ip-address-type': 'ipv4', prefix })
const v6 = (address: string, prefix: number) => ({ 'ip-address': address, 'ip-address-type': 'ipv6', prefix })

const containerBridges = [
  anInterface({
    name: 'docker0',
    mac: '02:42:ac:11:00:01',
    addresses: [v4('172.17.0.1', 16)],
    bytes: [0, 0],
  }),
  anInterface({ name: 'veth1a2b3c4', mac: '5e:a4:1f:00:9b:21', addresses: [], bytes: [918_273, 645_546] }),
]
