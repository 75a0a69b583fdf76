import { isRunning } from '../estate/estate.ts'
import type { Guest } from '../estate/estate.ts'
import type { Readings } from '../load/readings.ts'
import { displayName } from './guest-fragment.ts'
import { addressOf, guestOf, guestsOn, linkLocalOf, macOf, pressureOf, processId } from './guests.ts'
import { haOf, marks } from './qemu.ts'
import { needsAuditOnGuest } from './route.ts'
import type { Call, Route } from './route.ts'

export const lxcRoutes: readonly Route[] = [
  { path: '/nodes/{node}/lxc', answer: list },
  { path: '/nodes/{node}/lxc/{vmid}/status/current', missing: needsAuditOnGuest, answer: current },
  { path: '/nodes/{node}/lxc/{vmid}/interfaces', since: 8, missing: needsAuditOnGuest, answer: interfaces },
]

function list(call: Call) {
  return guestsOn(call, 'lxc').map((guest) => {
    const entry = figures(guest, call.world.readings)
    // Up to PVE 7 the VMID, which is read from a file name, is a text.
    return guest.node.cluster.release.major === 7 ? { ...entry, vmid: String(guest.vmid) } : entry
  })
}

function current(call: Call) {
  const guest = guestOf(call, 'lxc')
  return { ...figures(guest, call.world.readings), ha: haOf(guest) }
}

function figures(guest: Guest, readings: Readings) {
  const reading = readings.guest(guest)
  const running = isRunning(guest)
  return {
    vmid: guest.vmid,
    name: displayName(guest),
    type: 'lxc',
    status: running ? 'running' : 'stopped',
    cpus: guest.cpuLimit === undefined ? guest.cores : String(guest.cpuLimit),
    cpu: reading.cpu,
    mem: reading.memBytes,
    maxmem: guest.maxMemBytes,
    swap: reading.swapBytes,
    maxswap: guest.maxSwapBytes,
    disk: reading.diskBytes,
    maxdisk: guest.maxDiskBytes,
    netin: reading.netIn,
    netout: reading.netOut,
    diskread: reading.diskRead,
    diskwrite: reading.diskWrite,
    uptime: reading.uptimeSeconds,
    ...(running && { pid: processId(guest) }),
    ...(running && guest.node.cluster.release.major === 9 && pressureOf(guest, reading.cpu)),
    ...marks(guest),
  }
}

function interfaces(call: Call) {
  const guest = guestOf(call, 'lxc')
  if (!isRunning(guest)) return null
  const loopback = anInterface('lo', '00:00:00:00:00:00', { v4: '127.0.0.1/8', v6: '::1/128' })
  const own = Array.from({ length: guest.interfaceCount }, (_, index) =>
    anInterface(`eth${index}`, macOf(guest, index), {
      v4: `${addressOf(guest, index)}/16`,
      v6: `${linkLocalOf(guest, index)}/64`,
    }),
  )
  const inner =
    guest.tags?.includes('docker') === true
      ? [
          anInterface('docker0', '02:42:ac:11:00:01', { v4: '172.17.0.1/16' }),
          anInterface('veth1a2b3c4', '5e:a4:1f:00:9b:21', {}),
        ]
      : []
  return [loopback, ...own, ...inner]
}

/** One address per family in the old fields, all addresses in the fields that 8.4 added. */
function anInterface(name: string, mac: string, { v4, v6 }: { v4?: string; v6?: string }) {
  return {
    name,
    hwaddr: mac,
    ...(v4 && { inet: v4 }),
    ...(v6 && { inet6: v6 }),
    'hardware-address': mac,
    'ip-addresses': [...(v4 ? [anAddress(v4, 'inet')] : []), ...(v6 ? [anAddress(v6, 'inet6')] : [])],
  }
}

function anAddress(cidr: string, type: 'inet' | 'inet6') {
  const [address = '', prefix = ''] = cidr.split('/')
  return { 'ip-address': address, 'ip-address-type': type, prefix: Number(prefix) }
}
